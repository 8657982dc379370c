/** Factors of the units, in lower case; one letter is the decimal unit, as in huggingface_hub. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ...['k', 'm', 'g', 't', 'p'].flatMap((letter, index): [string, number][] => [
    [letter, 1000 ** (index + 1)],
    [`${letter}b`, 1000 ** (index + 1)],
    [`${letter}ib`, 1024 ** (index + 1)],
  ]),
]);

/**
 * A number of bytes as people write it: `5GB` (5·10^9), `500 MB`, `1.5GiB` (1.5·2^30), `4096`. Decimal units count by 1000,
 * `KiB MiB GiB TiB PiB` by 1024; letter case does not matter.
 *
 * @returns whole bytes, rounded down; undefined when the text is no such number, or it is 0 or beyond 2^53 − 1.
 */
export const parseBytes = (text: string): number | undefined => {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]{0,3})\s*$/i.exec(text) ?? [];
  const factor = UNITS.get(unit?.toLowerCase() ?? '');
  if (number === undefined || factor === undefined) {
    return undefined;
  }
  const bytes = Math.floor(Number(number) * factor);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
};
