/** The reference reader's cap on the header, in bytes (FORMATS.md 1.2 row 2). */
export const REFERENCE_HEADER_CAP = 100_000_000;

/** The longest header this program reads at all, in bytes. */
export const LONGEST_HEADER = 2 ** 30;

/** Most tensors, and most metadata entries, a header may hold: three times those of the largest known file, 1.3 million. */
export const MOST_ENTRIES = 4_000_000;

/** Most dimensions a shape may have; the reference sets no limit, numpy and PyTorch end at 64. */
export const MOST_DIMENSIONS = 1000;
