import type { WideScanner } from '../kernels.ts';
import { addMoments, type Moments, NO_MOMENTS, shiftMoments } from '../moments.ts';
import { mergeTotals, NO_EXTREMES, noTotals, type WideTotals } from '../wide-totals.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { IntKeys, KEY_CHUNK, nearZero, POINT_KEYS } from './int-keys.ts';

/** Elements after which everything is drained, so that no count reaches 2^32. */
const SPILL = 2 ** 31;

interface Extremes {
  /** Of the words with their bits flipped. */
  min: number;
  max: number;
  /** Of the words as they are: the smallest one above zero less 1, and how far the largest one below zero is from −1. */
  minPositive: number;
  maxNegative: number;
}

const NONE = 0xffffffff;

const noExtremes = (): Extremes => ({ min: 0x7fffffff, max: -0x80000000, minPositive: NONE, maxNegative: NONE });

/**
 * Extremes and sums over one chunk of words, each with its bits `flip` inverted: value = h·2^16 + l, terms below 2^32, so
 * that {@link KEY_CHUNK} of them add up exactly.
 */
const scanInt32 = (words: Int32Array, flip: number, extremes: Extremes): Moments => {
  let { min, max } = extremes;
  let sum = 0;
  let hh = 0;
  let hl = 0;
  let ll = 0;
  for (let index = 0; index < words.length; index += 1) {
    const value = (words[index] ?? 0) ^ flip;
    if (value < min) {
      min = value;
    }
    if (value > max) {
      max = value;
    }
    const h = value >> 16;
    const l = value & 0xffff;
    sum += value;
    hh += h * h;
    hl += h * l;
    ll += l * l;
  }
  extremes.min = min;
  extremes.max = max;
  return { sum: BigInt(sum), sumSquares: (BigInt(hh) << 32n) + (BigInt(hl) << 17n) + BigInt(ll) };
};

/** Whether the elements next to zero are still unknown where keys alone do not tell (see {@link nearZero}). */
const wantsNearZero = ({ min, minPositive, maxNegative }: Extremes): boolean =>
  minPositive >= POINT_KEYS - 1 || (min < 0 && maxNegative >= POINT_KEYS - 1);

/** The elements next to zero among the words as they are. */
const scanNearZero = (words: Int32Array, extremes: Extremes): void => {
  let { minPositive, maxNegative } = extremes;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    // Zero and words of the other sign wrap around to more than any of the right one.
    const positive = (word - 1) >>> 0;
    const negative = ~word >>> 0;
    if (positive < minPositive) {
      minPositive = positive;
    }
    if (negative < maxNegative) {
      maxNegative = negative;
    }
  }
  extremes.minPositive = minPositive;
  extremes.maxNegative = maxNegative;
};

const extremesOf = ({ min, max, minPositive, maxNegative }: Extremes, signed: boolean) => ({
  min: signed ? min : min + 2 ** 31,
  max: signed ? max : max + 2 ** 31,
  // Words of the other sign were taken for larger ones.
  minPositive: minPositive < (signed ? 2 ** 31 - 1 : NONE) ? minPositive + 1 : undefined,
  maxNegative: signed && maxNegative < 2 ** 31 ? -1 - maxNegative : undefined,
});

/**
 * {@link WideScanner} of 32-bit integers. Unsigned ones are scanned as signed ones 2^31 lower, which takes no more than
 * inverting their top bit, and shifted back when drained.
 */
export class Int32Scanner implements WideScanner {
  readonly #signed: boolean;
  readonly #keys = new IntKeys();
  readonly #release: (scanner: Int32Scanner) => void;
  readonly #spill: number;
  #count = 0;
  #zeros = 0;
  #extremes = noExtremes();
  #moments = NO_MOMENTS;
  #spilled = noTotals();

  /** @param spill elements after which sums and counts move to where they cannot overflow; smaller in tests */
  constructor(signed: boolean, release: (scanner: Int32Scanner) => void, spill = SPILL) {
    this.#signed = signed;
    this.#release = release;
    this.#spill = spill;
  }

  add(bytes: Uint8Array): void {
    forAlignedChunks(bytes, 4, 4 * KEY_CHUNK, ({ buffer, byteOffset, length }) => {
      const words = new Int32Array(buffer, byteOffset, length / 4);
      this.#addChunk(words, this.#signed ? words : new Uint32Array(buffer, byteOffset, length / 4));
    });
  }

  drain(): WideTotals {
    const totals = mergeTotals(this.#spilled, this.#take());
    this.#spilled = noTotals();
    return totals;
  }

  release(): void {
    this.#release(this);
  }

  #addChunk(words: Int32Array, values: Int32Array | Uint32Array): void {
    if (this.#count + words.length > this.#spill) {
      this.#spilled = mergeTotals(this.#spilled, this.#take());
    }
    this.#count += words.length;
    const flip = this.#signed ? 0 : -0x80000000;
    this.#moments = addMoments(this.#moments, scanInt32(words, flip, this.#extremes));
    if (wantsNearZero(this.#extremes)) {
      scanNearZero(words, this.#extremes);
    }
    this.#keys.floats.set(values);
    this.#zeros += this.#keys.count(values.length);
  }

  #take(): WideTotals {
    const keys = this.#keys.take();
    const extremes = this.#count > 0 ? extremesOf(this.#extremes, this.#signed) : NO_EXTREMES;
    const totals: WideTotals = {
      ...noTotals(),
      count: this.#count,
      zeros: this.#zeros,
      ...extremes,
      ...nearZero(keys, extremes),
      moments: shiftMoments(this.#moments, this.#count, this.#signed ? 0n : 1n << 31n),
      keys,
    };
    this.#count = 0;
    this.#zeros = 0;
    this.#extremes = noExtremes();
    this.#moments = NO_MOMENTS;
    return totals;
  }
}
