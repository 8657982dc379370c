/** A SHA-256 that somebody wrote down. */
export interface WrittenChecksum {
  /** 64 hexadecimal digits, lower case. */
  readonly sha256: string;
  /** Bytes that the file should have, where that is written too. */
  readonly size?: number;
}

const HEX = /^[0-9a-f]{64}$/i;

/** What a text of hexadecimal digits says, `sha256:` before them or not; undefined when it is no SHA-256. */
export const checksumOf = (text: string): WrittenChecksum | undefined => {
  const hex = text.trim().replace(/^sha256[:=]/i, '');
  return HEX.test(hex) ? { sha256: hex.toLowerCase() } : undefined;
};

const ofPointer = (lines: readonly string[]): WrittenChecksum | undefined => {
  const oid = lines.map((line) => /^oid sha256:([0-9a-f]{64})$/i.exec(line)?.[1]).find((found) => found !== undefined);
  const size = lines.map((line) => /^size (\d{1,15})$/.exec(line)?.[1]).find((found) => found !== undefined);
  return oid === undefined
    ? undefined
    : { sha256: oid.toLowerCase(), ...(size === undefined ? {} : { size: Number(size) }) };
};

/**
 * The SHA-256 that a text gives for a file: the output of `sha256sum` (or of BSD's `SHA256 (name) = …`), a Git LFS pointer, or
 * the digits alone. Lines about other files are passed over.
 *
 * @param name base name of the file
 */
export const parseChecksums = (text: string, name: string): WrittenChecksum | undefined => {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const pointer = ofPointer(lines);
  if (pointer !== undefined) {
    return pointer;
  }
  for (const line of lines) {
    const [, gnu, gnuName] = /^\\?([0-9a-f]{64}) [ *](.+)$/i.exec(line) ?? [];
    const [, bsdName, bsd] = /^SHA256 \((.+)\) = ([0-9a-f]{64})$/i.exec(line) ?? [];
    const digits = gnu ?? bsd;
    // Written in another folder, the name may have a path before it.
    const written = (gnuName ?? bsdName)?.split(/[\\/]/).at(-1);
    if (digits !== undefined && written === name) {
      return { sha256: digits.toLowerCase() };
    }
  }
  const filled = lines.filter((line) => line !== '');
  return filled.length === 1 ? checksumOf(filled[0] ?? '') : undefined;
};
