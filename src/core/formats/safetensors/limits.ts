/** The reference reader's cap on the header, in bytes (FORMATS.md 1.2 row 2). */
export const REFERENCE_HEADER_CAP = 100_000_000;

/** The longest header this program reads at all, in bytes. */
export const LONGEST_HEADER = 2 ** 30;
