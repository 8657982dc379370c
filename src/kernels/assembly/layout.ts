/**
 * Where things are in the module's memory, in bytes from its start. The memory never grows, so that views of it stay valid.
 * load-loops.ts learns these addresses from the exports of index.ts.
 */

/** Four vectors: what is left at the end of a window, filled up with zeros. */
export const LAST_VECTORS: usize = 0x40;
/** Numbers on their way from a vector to a table. */
export const KEY_VECTOR: usize = 0x80;
/** What a drain says besides counts: see tally.ts. */
export const TALLY: usize = 0x100;
/** Of float32: 256 sums of squares by exponent, 64 bits each. */
export const SQUARES: usize = 0x800;

/**
 * The table that all loops count in, one loop at a time; all zeros in between: 65,536 keys of 16 bytes, or of 32 (float32);
 * 256 of 32 (bytes); 524,288 of 4, then 4,096 rows of 64 (float64).
 */
export const TABLE: usize = 0x10000;
export const ROWS: usize = 0x210000;

/** What a drain found, as lists: keys (32 bits), counts (f64), and sums (f64; of float64 rows of eight 64-bit sums). */
export const KEYS: usize = 0x250000;
export const COUNTS: usize = 0x450000;
export const SUMS: usize = 0x850000;

/** Where bytes of elsewhere are copied to, piece by piece. */
export const STAGE: usize = 0x8d0000;
export const STAGE_BYTES: usize = 0x10000;
/** Where the caller may read to by himself. */
export const WINDOW: usize = 0x8e0000;
export const WINDOW_BYTES: usize = 0x100000;
/** 0x9e0000 bytes in all: 158 pages, which scripts/kernels.mjs tells the compiler. */
