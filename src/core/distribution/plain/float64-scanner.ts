import type { WideScanner } from '../kernels.ts';
import { mergeTotals, noTotals, type WideTotals } from '../wide-totals.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { addMantissa, Float64Moments, HOT_LIMIT } from './float64-moments.ts';
import { KeyTable } from './key-table.ts';

/** Elements after which everything is drained, so that {@link Float64Moments} and the key table stay exact. */
const SPILL = 2 ** 28;

interface Tally {
  count: number;
  nan: number;
  posInf: number;
  negInf: number;
  zeros: number;
  negZeros: number;
  subnormals: number;
  min: number;
  max: number;
}

const newTally = (): Tally => ({
  count: 0,
  nan: 0,
  posInf: 0,
  negInf: 0,
  zeros: 0,
  negZeros: 0,
  subnormals: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
});

const tallyNonFinite = (value: number, tally: Tally): void => {
  if (Number.isNaN(value)) {
    tally.nan += 1;
  } else if (value > 0) {
    tally.posInf += 1;
  } else {
    tally.negInf += 1;
  }
};

const scanFloat64 = (
  values: Float64Array,
  words: Int32Array,
  keys: Uint32Array,
  hot: Float64Array,
  tally: Tally,
): void => {
  let { min, max, zeros, negZeros } = tally;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    const high = words[index * 2 + 1] ?? 0;
    const exponent = high & 0x7ff00000;
    if (exponent === 0x7ff00000) {
      tallyNonFinite(value, tally);
      continue;
    }
    if (value < min) {
      min = value;
    }
    if (value > max) {
      max = value;
    }
    if (value === 0) {
      zeros += 1;
      negZeros += high >>> 31;
      continue;
    }
    if (exponent === 0) {
      tally.subnormals += 1;
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

/** {@link WideScanner} of float64. Sums are exact integers throughout (see {@link Float64Moments}). */
export class Float64Scanner implements WideScanner {
  readonly #keys = new KeyTable(19);
  readonly #moments = new Float64Moments();
  readonly #release: (scanner: Float64Scanner) => void;
  #tally = newTally();
  #hotElements = 0;
  #spilled = noTotals();

  constructor(release: (scanner: Float64Scanner) => void) {
    this.#release = release;
  }

  add(bytes: Uint8Array): void {
    forAlignedChunks(bytes, 8, 8 * HOT_LIMIT, ({ buffer, byteOffset, length }) => {
      this.#addValues(new Float64Array(buffer, byteOffset, length / 8), new Int32Array(buffer, byteOffset, length / 4));
      this.#keys.touch(new Uint32Array(buffer, byteOffset, length / 4), 1, 2);
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

  #addValues(values: Float64Array, words: Int32Array): void {
    if (this.#hotElements + values.length > HOT_LIMIT) {
      this.#moments.coolDown();
      this.#hotElements = 0;
    }
    if (this.#tally.count + values.length > SPILL) {
      this.#spilled = mergeTotals(this.#spilled, this.#take());
    }
    this.#hotElements += values.length;
    this.#tally.count += values.length;
    scanFloat64(values, words, this.#keys.table, this.#moments.hot, this.#tally);
  }

  #take(): WideTotals {
    const { min, max, ...tally } = this.#tally;
    const keys = this.#keys.take();
    // −0 counts as 0.
    const totals: WideTotals = {
      ...tally,
      min: min <= max ? min + 0 : undefined,
      max: min <= max ? max + 0 : undefined,
      moments: this.#moments.take(keys),
      keys,
    };
    this.#tally = newTally();
    this.#hotElements = 0;
    return totals;
  }
}
