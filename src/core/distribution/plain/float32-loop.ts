/**
 * One f64 of the `upper` table holds a count and a sum: count · 2^34 + sum of lower 16 bits. Both are exact up to 2^18
 * elements.
 */
export const COUNT_UNIT = 2 ** 34;

/** Elements after which the hot tables must be emptied. */
export const HOT_LIMIT = 2 ** 18;

/** What the hot loop adds to. */
export interface HotTables {
  /** By upper 16 bits of the pattern: see {@link COUNT_UNIT}. */
  readonly upper: Float64Array;
  /** By sign and exponent (upper 9 bits): sum of the squares of the lower 16 bits. */
  readonly squares: Float64Array;
  /** See {@link TALLY}. */
  readonly tally: Int32Array;
}

/** Entries of {@link HotTables.tally}. */
export const TALLY = {
  /** Smallest and largest finite pattern, ordered by {@link flip}. */
  min: 0,
  max: 1,
  nan: 2,
  posInf: 3,
  negInf: 4,
  subnormals: 5,
  /** Subnormals that share the upper 16 bits of +0, and of −0. */
  tinyPositive: 6,
  tinyNegative: 7,
} as const;

/** Float32 pattern, as a signed integer, to a signed integer that orders as the values do; and back. */
export const flip = (pattern: number): number => pattern ^ ((pattern >> 31) & 0x7fffffff);

const bump = (tally: Int32Array, at: number): void => {
  tally[at] = (tally[at] ?? 0) + 1;
};

const tallyNonFinite = (pattern: number, tally: Int32Array): void => {
  bump(tally, (pattern & 0x7fffff) !== 0 ? TALLY.nan : pattern < 0 ? TALLY.negInf : TALLY.posInf);
};

const tallySubnormal = (pattern: number, tally: Int32Array): void => {
  bump(tally, TALLY.subnormals);
  if ((pattern & 0x7fff0000) === 0) {
    bump(tally, pattern < 0 ? TALLY.tinyNegative : TALLY.tinyPositive);
  }
};

/** Takes in float32 patterns, at most {@link HOT_LIMIT} between two emptyings. Non-finite ones go to the tally only. */
export const scanFloat32 = (patterns: Int32Array, { upper, squares, tally }: HotTables): void => {
  let min = tally[TALLY.min] ?? 0;
  let max = tally[TALLY.max] ?? 0;
  for (let index = 0; index < patterns.length; index += 1) {
    const pattern = patterns[index] ?? 0;
    const magnitude = pattern & 0x7fffffff;
    if (magnitude >= 0x7f800000) {
      tallyNonFinite(pattern, tally);
      continue;
    }
    // True for 1 … 0x7FFFFF; zero wraps around.
    if ((magnitude - 1) >>> 0 < 0x7fffff) {
      tallySubnormal(pattern, tally);
    }
    const low = pattern & 0xffff;
    const key = pattern >>> 16;
    const exponent = pattern >>> 23;
    upper[key] = (upper[key] ?? 0) + (low + COUNT_UNIT);
    squares[exponent] = (squares[exponent] ?? 0) + low * low;
    const ordered = pattern ^ ((pattern >> 31) & 0x7fffffff);
    if (ordered < min) {
      min = ordered;
    }
    if (ordered > max) {
      max = ordered;
    }
  }
  tally[TALLY.min] = min;
  tally[TALLY.max] = max;
};
