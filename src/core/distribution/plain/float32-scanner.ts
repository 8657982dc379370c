import { Float32Moments } from '../float32-moments.ts';
import type { WideScanner } from '../kernels.ts';
import { orderKeys } from '../wide-keys.ts';
import { mergeTotals, NO_EXTREMES, noTotals, type WideTotals } from '../wide-totals.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { COUNT_UNIT, extremesOf, HOT_LIMIT, newTally, scanFloat32, TALLY } from './float32-loop.ts';
import { TouchedBlocks } from './touched-blocks.ts';

/** Elements after which everything is drained, so that {@link Float32Moments} and the tally stay exact. */
const SPILL = 2 ** 28;

/** {@link WideScanner} of float32. Sums are exact integers throughout (see {@link Float32Moments}). */
export class Float32Scanner implements WideScanner {
  readonly #upper = new Float64Array(65536);
  readonly #squares = new Float64Array(512);
  readonly #counts = new Float64Array(65536);
  readonly #lowSums = new Float64Array(65536);
  /** By exponent field, signs together. */
  readonly #lowSquares = Array.from({ length: 256 }, () => 0n);
  readonly #touched = new TouchedBlocks(65536);
  readonly #release: (scanner: Float32Scanner) => void;
  readonly #spill: number;
  #tally = newTally();
  #hotElements = 0;
  #elements = 0;
  #spilled = noTotals();

  /** @param spill elements after which sums and counts move to where they cannot overflow; smaller in tests */
  constructor(release: (scanner: Float32Scanner) => void, spill = SPILL) {
    this.#release = release;
    this.#spill = spill;
  }

  add(bytes: Uint8Array): void {
    forAlignedChunks(bytes, 4, 4 * HOT_LIMIT, (chunk) => {
      this.#addPatterns(new Int32Array(chunk.buffer, chunk.byteOffset, chunk.length / 4));
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

  #addPatterns(patterns: Int32Array): void {
    if (this.#hotElements + patterns.length > HOT_LIMIT) {
      this.#coolDown();
    }
    if (this.#elements + patterns.length > this.#spill) {
      this.#spilled = mergeTotals(this.#spilled, this.#take());
    }
    this.#hotElements += patterns.length;
    this.#elements += patterns.length;
    scanFloat32(patterns, { upper: this.#upper, squares: this.#squares, tally: this.#tally });
    if (this.#touched.wantsMarks(patterns.length)) {
      for (const pattern of patterns) {
        this.#touched.mark(pattern >>> 16);
      }
    }
  }

  /** Moves the hot tables' content to those that last until the next drain. */
  #coolDown(): void {
    const upper = this.#upper;
    const squares = this.#squares;
    this.#touched.forEach((from, to) => {
      for (let key = from; key < to; key += 1) {
        const packed = upper[key] ?? 0;
        if (packed !== 0) {
          const count = Math.floor(packed / COUNT_UNIT);
          this.#counts[key] = (this.#counts[key] ?? 0) + count;
          this.#lowSums[key] = (this.#lowSums[key] ?? 0) + (packed - count * COUNT_UNIT);
          upper[key] = 0;
        }
      }
    });
    squares.forEach((sum, index) => {
      if (sum !== 0) {
        this.#lowSquares[index % 256] = (this.#lowSquares[index % 256] ?? 0n) + BigInt(sum);
      }
    });
    squares.fill(0);
    this.#hotElements = 0;
  }

  #take(): WideTotals {
    this.#coolDown();
    const tally = this.#tally;
    const at = (entry: number): number => tally[entry] ?? 0;
    const positiveZeros = (this.#counts[0] ?? 0) - at(TALLY.tinyPositive);
    const negZeros = (this.#counts[0x8000] ?? 0) - at(TALLY.tinyNegative);
    // Leaves the subnormals among them.
    this.#counts[0] = at(TALLY.tinyPositive);
    this.#counts[0x8000] = at(TALLY.tinyNegative);
    const finite = this.#elements - at(TALLY.nan) - at(TALLY.posInf) - at(TALLY.negInf);
    const totals: WideTotals = {
      count: this.#elements,
      nan: at(TALLY.nan),
      posInf: at(TALLY.posInf),
      negInf: at(TALLY.negInf),
      zeros: positiveZeros + negZeros,
      negZeros,
      subnormals: at(TALLY.subnormals),
      ...(finite > 0 ? extremesOf(tally) : NO_EXTREMES),
      ...this.#takeTables(),
    };
    this.#tally = newTally();
    this.#elements = 0;
    return totals;
  }

  #takeTables(): Pick<WideTotals, 'moments' | 'keys'> {
    const raw = this.#touched.collect(this.#counts);
    const moments = new Float32Moments();
    raw.keys.forEach((key, index) => {
      moments.add(key, raw.counts[index] ?? 0, this.#lowSums[key] ?? 0);
    });
    this.#lowSquares.forEach((squares, exponent) => {
      if (squares !== 0n) {
        moments.addLowSquares(exponent, squares);
      }
    });
    this.#touched.forEach((from, to) => {
      this.#counts.fill(0, from, to);
      this.#lowSums.fill(0, from, to);
    });
    this.#touched.clear();
    this.#lowSquares.fill(0n);
    return { moments: moments.moments(), keys: orderKeys(raw, 16) };
  }
}
