/** Characters of text after which a page of rows ends: names can have millions, and a message must not stall anybody. */
export const PAGE_CHARACTERS = 4_000_000;

/** Rows looked at together. */
const STEP = 256;

/** The characters of a row's own texts, and the elements of its lists. */
const lengthOf = (row: object): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || Array.isArray(value) ? value.length : 0),
    0,
  );

/**
 * The rows of one page: `count` of them from `start` on, or fewer when their texts are long, but at least one where there is
 * one. Whoever asked goes on behind the last.
 *
 * @param read Gives at most so many rows from a place on.
 */
export const fittingRows = <T extends object>(
  read: (from: number, most: number) => readonly T[],
  start: number,
  count: number,
): T[] => {
  const rows: T[] = [];
  let characters = 0;
  while (rows.length < count) {
    const more = read(start + rows.length, Math.min(STEP, count - rows.length));
    for (const row of more) {
      characters += lengthOf(row);
      if (rows.length > 0 && characters > PAGE_CHARACTERS) {
        return rows;
      }
      rows.push(row);
    }
    if (more.length === 0) {
      break;
    }
  }
  return rows;
};
