import type { WideScanner } from '../kernels.ts';
import { mergeTotals, noTotals, type WideTotals } from '../wide-totals.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { newTally, scanFloat64 } from './float64-loop.ts';
import { Float64Moments, HOT_LIMIT } from './float64-moments.ts';
import { KeyTable } from './key-table.ts';

/** Elements after which everything is drained, so that {@link Float64Moments} and the key table stay exact. */
const SPILL = 2 ** 28;

/** {@link WideScanner} of float64. Sums are exact integers throughout (see {@link Float64Moments}). */
export class Float64Scanner implements WideScanner {
  readonly #keys = new KeyTable(19);
  readonly #moments = new Float64Moments();
  readonly #release: (scanner: Float64Scanner) => void;
  readonly #spill: number;
  #tally = newTally();
  #hotElements = 0;
  #spilled = noTotals();

  /** @param spill elements after which sums and counts move to where they cannot overflow; smaller in tests */
  constructor(release: (scanner: Float64Scanner) => void, spill = SPILL) {
    this.#release = release;
    this.#spill = spill;
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
    if (this.#tally.count + values.length > this.#spill) {
      this.#spilled = mergeTotals(this.#spilled, this.#take());
    }
    this.#hotElements += values.length;
    this.#tally.count += values.length;
    scanFloat64(values, words, this.#keys.table, this.#moments.hot, this.#tally);
  }

  #take(): WideTotals {
    const { min, max, minPositive, maxNegative, ...tally } = this.#tally;
    const keys = this.#keys.take();
    // −0 counts as 0.
    const totals: WideTotals = {
      ...tally,
      min: min <= max ? min + 0 : undefined,
      max: min <= max ? max + 0 : undefined,
      minPositive: Number.isFinite(minPositive) ? minPositive : undefined,
      maxNegative: Number.isFinite(maxNegative) ? maxNegative : undefined,
      moments: this.#moments.take(keys),
      keys,
    };
    this.#tally = newTally();
    this.#hotElements = 0;
    return totals;
  }
}
