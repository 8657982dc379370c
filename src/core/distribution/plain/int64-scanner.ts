import { narrow } from '../../checked-arithmetic.ts';
import { nearestFloat64 } from '../../dtypes/wide-ints.ts';
import type { WideScanner } from '../kernels.ts';
import { addMoments, type Moments, NO_MOMENTS } from '../moments.ts';
import { mergeTotals, noTotals, type WideTotals } from '../wide-totals.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { IntKeys, KEY_CHUNK } from './int-keys.ts';

/** Elements after which everything is drained, so that no count reaches 2^32. */
const SPILL = 2 ** 31;

/**
 * Sums over one chunk of value = a·2^48 + b·2^32 + c·2^16 + d, where a carries the sign: every limb of value² is below
 * 2^34 a term, so {@link KEY_CHUNK} terms are exact.
 */
const chunkMoments = (words: Int32Array, signed: boolean): Moments => {
  let highs = 0;
  let lows = 0;
  let w0 = 0;
  let w1 = 0;
  let w2 = 0;
  let w3 = 0;
  let w4 = 0;
  let w5 = 0;
  let w6 = 0;
  for (let index = 0; index < words.length; index += 2) {
    const low = words[index] ?? 0;
    const high = words[index + 1] ?? 0;
    const a = signed ? high >> 16 : high >>> 16;
    const b = high & 0xffff;
    const c = low >>> 16;
    const d = low & 0xffff;
    highs += a * 65536 + b;
    lows += low >>> 0;
    w6 += a * a;
    w5 += 2 * (a * b);
    w4 += 2 * (a * c) + b * b;
    w3 += 2 * (a * d + b * c);
    w2 += 2 * (b * d) + c * c;
    w1 += 2 * (c * d);
    w0 += d * d;
  }
  return {
    sum: (BigInt(highs) << 32n) + BigInt(lows),
    sumSquares: [w5, w4, w3, w2, w1, w0].reduce((total, limb) => (total << 16n) + BigInt(limb), BigInt(w6)),
  };
};

/** A running extreme as two words; the upper one is signed for signed integers. */
interface Extreme {
  readonly high: number;
  readonly low: number;
}

const toInt = ({ high, low }: Extreme) => narrow((BigInt(high) << 32n) + BigInt(low));

/** {@link WideScanner} of 64-bit integers, signed or not. */
export class Int64Scanner implements WideScanner {
  readonly #signed: boolean;
  readonly #keys = new IntKeys();
  readonly #release: (scanner: Int64Scanner) => void;
  #count = 0;
  #zeros = 0;
  #min: Extreme | undefined;
  #max: Extreme | undefined;
  #moments = NO_MOMENTS;
  #spilled = noTotals();

  constructor(signed: boolean, release: (scanner: Int64Scanner) => void) {
    this.#signed = signed;
    this.#release = release;
  }

  add(bytes: Uint8Array): void {
    // Words need no more than four-byte alignment.
    forAlignedChunks(bytes, 4, 8 * KEY_CHUNK, ({ buffer, byteOffset, length }) => {
      this.#addChunk(new Int32Array(buffer, byteOffset, length / 4));
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

  #addChunk(words: Int32Array): void {
    const length = words.length / 2;
    if (this.#count + length > SPILL) {
      this.#spilled = mergeTotals(this.#spilled, this.#take());
    }
    this.#count += length;
    this.#moments = addMoments(this.#moments, chunkMoments(words, this.#signed));
    this.#scan(words);
    this.#zeros += this.#keys.count(length);
  }

  /** Extremes, and the float32 of each element for its key. */
  #scan(words: Int32Array): void {
    const { floats } = this.#keys;
    const firstHigh = words[1] ?? 0;
    const first: Extreme = { high: this.#signed ? firstHigh : firstHigh >>> 0, low: (words[0] ?? 0) >>> 0 };
    let { high: minHigh, low: minLow } = this.#min ?? first;
    let { high: maxHigh, low: maxLow } = this.#max ?? first;
    for (let index = 0; index < words.length; index += 2) {
      const low = (words[index] ?? 0) >>> 0;
      const word = words[index + 1] ?? 0;
      const high = this.#signed ? word : word >>> 0;
      if (high < minHigh || (high === minHigh && low < minLow)) {
        minHigh = high;
        minLow = low;
      }
      if (high > maxHigh || (high === maxHigh && low > maxLow)) {
        maxHigh = high;
        maxLow = low;
      }
      floats[index >>> 1] = nearestFloat64(high, low);
    }
    this.#min = { high: minHigh, low: minLow };
    this.#max = { high: maxHigh, low: maxLow };
  }

  #take(): WideTotals {
    const totals: WideTotals = {
      ...noTotals(),
      count: this.#count,
      zeros: this.#zeros,
      min: this.#min === undefined ? undefined : toInt(this.#min),
      max: this.#max === undefined ? undefined : toInt(this.#max),
      moments: this.#moments,
      keys: this.#keys.take(),
    };
    this.#count = 0;
    this.#zeros = 0;
    this.#min = undefined;
    this.#max = undefined;
    this.#moments = NO_MOMENTS;
    return totals;
  }
}
