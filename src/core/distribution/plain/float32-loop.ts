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
  /** Smallest magnitude above zero of positive and of negative numbers, as a pattern, less 1. */
  minPositive: 8,
  maxNegative: 9,
} as const;

/** Entries of the tally in all. */
const TALLY_LENGTH = 10;

/** The tally of no elements; its extremes give way to any pattern. */
export const newTally = (): Int32Array => {
  const tally = new Int32Array(TALLY_LENGTH);
  tally[TALLY.min] = 0x7fffffff;
  tally[TALLY.max] = -0x80000000;
  tally[TALLY.minPositive] = 0x7fffffff;
  tally[TALLY.maxNegative] = 0x7fffffff;
  return tally;
};

/** Float32 pattern, as a signed integer, to a signed integer that orders as the values do; and back. */
const flip = (pattern: number): number => pattern ^ ((pattern >> 31) & 0x7fffffff);

const fromPattern = (pattern: number): number => {
  const value = new Float32Array(1);
  new Int32Array(value.buffer)[0] = pattern;
  // −0 counts as 0.
  return (value[0] ?? 0) + 0;
};

/** The four extremes of a tally of at least one finite number. */
export const extremesOf = (tally: Int32Array) => {
  const minPositive = tally[TALLY.minPositive] ?? 0;
  const maxNegative = tally[TALLY.maxNegative] ?? 0;
  return {
    min: fromPattern(flip(tally[TALLY.min] ?? 0)),
    max: fromPattern(flip(tally[TALLY.max] ?? 0)),
    minPositive: minPositive === 0x7fffffff ? undefined : fromPattern(minPositive + 1),
    maxNegative: maxNegative === 0x7fffffff ? undefined : -fromPattern(maxNegative + 1),
  };
};

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

/** Nearness (see {@link scanFloat32}) of the smallest normal magnitude. */
const NORMAL = 0x7fffff;

/**
 * The nearness below which elements have to be noted: that of the sign seen so far whose nearest is farther from zero, and at
 * least that of every subnormal.
 */
const nearLimit = (tally: Int32Array): number => {
  const positive = tally[TALLY.minPositive] ?? 0;
  const negative = tally[TALLY.maxNegative] ?? 0;
  return Math.max(NORMAL, positive === 0x7fffffff ? 0 : positive, negative === 0x7fffffff ? 0 : negative);
};

/** Notes an element as one next to zero, if it is. Returns the new {@link nearLimit}. */
const noteNearness = (pattern: number, nearness: number, tally: Int32Array): number => {
  const side = pattern < 0 ? TALLY.maxNegative : TALLY.minPositive;
  if (nearness < (tally[side] ?? 0)) {
    tally[side] = nearness;
  }
  return nearLimit(tally);
};

/** Takes in float32 patterns, at most {@link HOT_LIMIT} between two emptyings. Non-finite ones go to the tally only. */
export const scanFloat32 = (patterns: Int32Array, { upper, squares, tally }: HotTables): void => {
  let min = tally[TALLY.min] ?? 0;
  let max = tally[TALLY.max] ?? 0;
  let limit = nearLimit(tally);
  for (let index = 0; index < patterns.length; index += 1) {
    const pattern = patterns[index] ?? 0;
    const magnitude = pattern & 0x7fffffff;
    if (magnitude >= 0x7f800000) {
      tallyNonFinite(pattern, tally);
      continue;
    }
    // Zero wraps around and is farther than anything.
    const nearness = (magnitude - 1) >>> 0;
    if (nearness < limit) {
      if (nearness < NORMAL) {
        tallySubnormal(pattern, tally);
      }
      limit = noteNearness(pattern, nearness, tally);
    }
    const low = pattern & 0xffff;
    const key = pattern >>> 16;
    const exponent = pattern >>> 23;
    upper[key] = (upper[key] ?? 0) + (low + COUNT_UNIT);
    squares[exponent] = (squares[exponent] ?? 0) + low * low;
    const ordered = pattern ^ ((pattern >> 31) & 0x7fffffff);
    // The first element of a sign is an extreme, however far from zero.
    if (ordered < min) {
      min = ordered;
      limit = noteNearness(pattern, nearness, tally);
    }
    if (ordered > max) {
      max = ordered;
      limit = noteNearness(pattern, nearness, tally);
    }
  }
  tally[TALLY.min] = min;
  tally[TALLY.max] = max;
};
