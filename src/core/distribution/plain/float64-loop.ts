import { addMantissa } from './float64-moments.ts';

/** What the hot loop counts. */
export interface Tally {
  count: number;
  nan: number;
  posInf: number;
  negInf: number;
  zeros: number;
  negZeros: number;
  subnormals: number;
  min: number;
  max: number;
  maxNegative: number;
  minPositive: number;
}

/** The tally of no elements; its extremes are infinite and give way to any finite number. */
export const newTally = (): Tally => ({
  count: 0,
  nan: 0,
  posInf: 0,
  negInf: 0,
  zeros: 0,
  negZeros: 0,
  subnormals: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  maxNegative: Number.NEGATIVE_INFINITY,
  minPositive: Number.POSITIVE_INFINITY,
});

/** The largest upper word of a subnormal magnitude. */
const SUBNORMAL_WORD = 0xfffff;

const tallyNonFinite = (value: number, tally: Tally): void => {
  if (Number.isNaN(value)) {
    tally.nan += 1;
  } else if (value > 0) {
    tally.posInf += 1;
  } else {
    tally.negInf += 1;
  }
};

const upperWord = (value: number): number => new Uint32Array(new Float64Array([value]).buffer)[1] ?? 0;

/**
 * The upper word of a magnitude up to which elements have to be noted: that of the sign seen so far whose nearest is farther
 * from zero, and at least that of every subnormal.
 */
const nearLimit = ({ minPositive, maxNegative }: Tally): number => {
  const positive = Number.isFinite(minPositive) ? upperWord(minPositive) : 0;
  const negative = Number.isFinite(maxNegative) ? upperWord(-maxNegative) : 0;
  return Math.max(SUBNORMAL_WORD, positive, negative);
};

/** Notes an element as one next to zero, if it is. Returns the new {@link nearLimit}. */
const noteNearZero = (value: number, limit: number, tally: Tally): number => {
  if (value > 0 && value < tally.minPositive) {
    tally.minPositive = value;
  } else if (value < 0 && value > tally.maxNegative) {
    tally.maxNegative = value;
  } else {
    return limit;
  }
  return nearLimit(tally);
};

/**
 * Takes in float64 values.
 *
 * @param words the same values as 32-bit words
 * @param keys counts of finite nonzero ones by their upper 19 bits
 * @param hot see {@link addMantissa}
 */
export const scanFloat64 = (
  values: Float64Array,
  words: Int32Array,
  keys: Uint32Array,
  hot: Float64Array,
  tally: Tally,
): void => {
  let { min, max, zeros, negZeros } = tally;
  let limit = nearLimit(tally);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    const high = words[index * 2 + 1] ?? 0;
    const magnitude = high & 0x7fffffff;
    if (magnitude >= 0x7ff00000) {
      tallyNonFinite(value, tally);
      continue;
    }
    // The first element of a sign is an extreme, however far from zero.
    if (value < min) {
      min = value;
      limit = noteNearZero(value, limit, tally);
    }
    if (value > max) {
      max = value;
      limit = noteNearZero(value, limit, tally);
    }
    if (value === 0) {
      zeros += 1;
      negZeros += high >>> 31;
      continue;
    }
    if (magnitude <= limit) {
      tally.subnormals += magnitude <= SUBNORMAL_WORD ? 1 : 0;
      limit = noteNearZero(value, limit, tally);
    }
    const key = high >>> 13;
    keys[key] = (keys[key] ?? 0) + 1;
    addMantissa(hot, high, words[index * 2] ?? 0);
  }
  tally.min = min;
  tally.max = max;
  tally.zeros = zeros;
  tally.negZeros = negZeros;
};
