import { narrow } from '../../checked-arithmetic.ts';
import type { Moments } from '../moments.ts';
import { POINT_KEYS } from './int-keys.ts';

/** Extremes so far, as words. */
export interface Extremes64 {
  /** Smallest and largest of the flipped values: upper word, and lower word with its top bit inverted; both order as signed. */
  minHigh: number;
  minLow: number;
  maxHigh: number;
  maxLow: number;
  /** Unsigned words of the smallest value above zero, and of the bits inverted of the largest below it. */
  positiveHigh: number;
  positiveLow: number;
  negativeHigh: number;
  negativeLow: number;
}

/** More than any upper word. */
const NONE = 2 ** 32;

/** Extremes of nothing: they give way to any value. */
export const noExtremes = (): Extremes64 => ({
  minHigh: 0x7fffffff,
  minLow: 0x7fffffff,
  maxHigh: -0x80000000,
  maxLow: -0x80000000,
  positiveHigh: NONE,
  positiveLow: 0,
  negativeHigh: NONE,
  negativeLow: 0,
});

const join = (high: number, low: number): bigint => (BigInt(high) << 32n) + BigInt(low);

/** The four extremes of at least one value. */
export const extremesOf = (extremes: Extremes64, signed: boolean) => {
  const { positiveHigh, positiveLow, negativeHigh, negativeLow } = extremes;
  const offset = signed ? 0n : 1n << 63n;
  return {
    min: narrow(join(extremes.minHigh, (extremes.minLow ^ -0x80000000) >>> 0) + offset),
    max: narrow(join(extremes.maxHigh, (extremes.maxLow ^ -0x80000000) >>> 0) + offset),
    // Words of the other sign were taken for larger ones.
    minPositive: positiveHigh < (signed ? 2 ** 31 : NONE) ? narrow(join(positiveHigh, positiveLow)) : undefined,
    maxNegative: signed && negativeHigh < 2 ** 31 ? narrow(-1n - join(negativeHigh, negativeLow)) : undefined,
  };
};

/**
 * Smallest and largest of the signed 64-bit values in `words` (lower word first), each with the bits `flip` of its upper word
 * inverted.
 */
export const scanExtremes = (words: Int32Array, flip: number, extremes: Extremes64): void => {
  let { minHigh, minLow, maxHigh, maxLow } = extremes;
  for (let index = 0; index < words.length; index += 2) {
    const low = (words[index] ?? 0) ^ -0x80000000;
    const high = (words[index + 1] ?? 0) ^ flip;
    if (high < minHigh || (high === minHigh && low < minLow)) {
      minHigh = high;
      minLow = low;
    }
    if (high > maxHigh || (high === maxHigh && low > maxLow)) {
      maxHigh = high;
      maxLow = low;
    }
  }
  extremes.minHigh = minHigh;
  extremes.minLow = minLow;
  extremes.maxHigh = maxHigh;
  extremes.maxLow = maxLow;
};

/** Whether the values next to zero are still unknown where keys alone do not tell (see {@link nearZero}). */
export const wantsNearZero = (extremes: Extremes64): boolean => {
  const { minHigh, positiveHigh, positiveLow, negativeHigh, negativeLow } = extremes;
  const knowsPositive = positiveHigh === 0 && positiveLow < POINT_KEYS;
  const knowsNegative = negativeHigh === 0 && negativeLow < POINT_KEYS - 1;
  return !knowsPositive || (minHigh < 0 && !knowsNegative);
};

/** The values next to zero in `words`, on either side. */
export const scanNearZero = (words: Int32Array, extremes: Extremes64): void => {
  let { positiveHigh, positiveLow, negativeHigh, negativeLow } = extremes;
  for (let index = 0; index < words.length; index += 2) {
    const low = words[index] ?? 0;
    const high = words[index + 1] ?? 0;
    const unsignedHigh = high >>> 0;
    const unsignedLow = low >>> 0;
    const closer = unsignedHigh < positiveHigh || (unsignedHigh === positiveHigh && unsignedLow < positiveLow);
    if (closer && (low | high) !== 0) {
      positiveHigh = unsignedHigh;
      positiveLow = unsignedLow;
    }
    const invertedHigh = ~high >>> 0;
    const invertedLow = ~low >>> 0;
    if (invertedHigh < negativeHigh || (invertedHigh === negativeHigh && invertedLow < negativeLow)) {
      negativeHigh = invertedHigh;
      negativeLow = invertedLow;
    }
  }
  extremes.positiveHigh = positiveHigh;
  extremes.positiveLow = positiveLow;
  extremes.negativeHigh = negativeHigh;
  extremes.negativeLow = negativeLow;
};

/**
 * Exact sums of the same values, up to 2^16 of them, and their nearest f64s into `floats` (as float32), `offset` · 2^32 higher.
 *
 * A value of 32 bits is h·2^16 + l; a longer one a·2^48 + b·2^32 + c·2^16 + d, where a carries the sign. Each limb of a
 * square is below 2^34.
 */
export const scanMoments = (words: Int32Array, flip: number, offset: number, floats: Float32Array): Moments => {
  let highs = 0;
  let lows = 0;
  let hh = 0;
  let hl = 0;
  let ll = 0;
  let w0 = 0;
  let w1 = 0;
  let w2 = 0;
  let w3 = 0;
  let w4 = 0;
  let w5 = 0;
  let w6 = 0;
  for (let index = 0; index < words.length; index += 2) {
    const low = words[index] ?? 0;
    const high = (words[index + 1] ?? 0) ^ flip;
    floats[index >>> 1] = (high + offset) * 4294967296 + (low >>> 0);
    highs += high;
    lows += low >>> 0;
    if (high === low >> 31) {
      const h = low >> 16;
      const l = low & 0xffff;
      hh += h * h;
      hl += h * l;
      ll += l * l;
    } else {
      const a = high >> 16;
      const b = high & 0xffff;
      const c = low >>> 16;
      const d = low & 0xffff;
      w6 += a * a;
      w5 += a * b;
      w4 += 2 * (a * c) + b * b;
      w3 += a * d + b * c;
      w2 += 2 * (b * d) + c * c;
      w1 += c * d;
      w0 += d * d;
    }
  }
  const small = (BigInt(hh) << 32n) + (BigInt(hl) << 17n) + BigInt(ll);
  const large = [2 * w5, w4, 2 * w3, w2, 2 * w1, w0].reduce((sum, limb) => (sum << 16n) + BigInt(limb), BigInt(w6));
  return { sum: (BigInt(highs) << 32n) + BigInt(lows), sumSquares: small + large };
};
