import { type Float64Row, float64Moments } from '../float64-rows.ts';
import type { Moments } from '../moments.ts';
import type { SparseCounts } from '../sparse-counts.ts';

/**
 * Sums by sign and exponent (upper 12 bits of the pattern), eight numbers each: of the mantissa's upper 20 and lower 32
 * bits, then of the five limbs of its square, see {@link addMantissa}; the eighth is unused and keeps a row in one cache line.
 */
const ROWS = 4096;
const COLUMNS = 8;
/** Base of the two halves that sums are kept in between drains. */
const HALF = 2 ** 32;

/** Elements that the hot sums take before {@link Float64Moments.coolDown}. */
export const HOT_LIMIT = 2 ** 16;

/**
 * Adds one element's mantissa m = a·2^34 + b·2^17 + c, where a has 18 bits and b and c 17, so that
 * m² = a²·2^68 + 2ab·2^51 + (2ac + b²)·2^34 + 2bc·2^17 + c². Each limb stays below 2^37.
 */
export const addMantissa = (hot: Float64Array, high: number, low: number): void => {
  const row = (high >>> 20) * COLUMNS;
  const a = (high & 0xfffff) >>> 2;
  const b = ((high & 3) << 15) | (low >>> 17);
  const c = low & 0x1ffff;
  hot[row] = (hot[row] ?? 0) + (high & 0xfffff);
  hot[row + 1] = (hot[row + 1] ?? 0) + (low >>> 0);
  hot[row + 2] = (hot[row + 2] ?? 0) + a * a;
  hot[row + 3] = (hot[row + 3] ?? 0) + 2 * a * b;
  hot[row + 4] = (hot[row + 4] ?? 0) + (2 * a * c + b * b);
  hot[row + 5] = (hot[row + 5] ?? 0) + 2 * b * c;
  hot[row + 6] = (hot[row + 6] ?? 0) + c * c;
};

/** Exact sums over finite nonzero float64 values, up to 2^28 of them between drains. */
export class Float64Moments {
  /** What {@link addMantissa} adds to. */
  readonly hot = new Float64Array(ROWS * COLUMNS);
  readonly #lower = new Float64Array(ROWS * COLUMNS);
  readonly #upper = new Float64Array(ROWS * COLUMNS);

  /** Makes room for another {@link HOT_LIMIT} elements. */
  coolDown(): void {
    const { hot } = this;
    for (let row = 0; row < hot.length; row += COLUMNS) {
      if (hot[row] === 0 && hot[row + 1] === 0) {
        // No mantissa here had a bit set.
        continue;
      }
      for (let at = row; at < row + COLUMNS - 1; at += 1) {
        const sum = hot[at] ?? 0;
        const carry = Math.floor(sum / HALF);
        this.#upper[at] = (this.#upper[at] ?? 0) + carry;
        this.#lower[at] = (this.#lower[at] ?? 0) + (sum - carry * HALF);
        hot[at] = 0;
      }
    }
  }

  /**
   * The sums, in units of 2^-1074 and 2^-2148; nothing is left afterwards.
   *
   * @param keys the same elements by order-preserving 19-bit key
   */
  take(keys: SparseCounts): Moments {
    this.coolDown();
    const rowCounts = new Map<number, number>();
    keys.keys.forEach((key, index) => {
      const raw = key >= 2 ** 18 ? key - 2 ** 18 : 2 ** 19 - 1 - key;
      const row = raw >>> 7;
      rowCounts.set(row, (rowCounts.get(row) ?? 0) + (keys.counts[index] ?? 0));
    });
    return float64Moments(Array.from(rowCounts, ([row, count]) => this.#takeRow(row, count)));
  }

  #takeRow(row: number, count: number): Float64Row {
    const mantissas = (this.#column(row, 0) << 32n) + this.#column(row, 1);
    const squares = [3, 4, 5, 6].reduce(
      (total, column) => (total << 17n) + this.#column(row, column),
      this.#column(row, 2),
    );
    this.#lower.fill(0, row * COLUMNS, (row + 1) * COLUMNS);
    this.#upper.fill(0, row * COLUMNS, (row + 1) * COLUMNS);
    return { row, count, mantissas, squares };
  }

  #column(row: number, column: number): bigint {
    const at = row * COLUMNS + column;
    return BigInt(this.#upper[at] ?? 0) * BigInt(HALF) + BigInt(this.#lower[at] ?? 0);
  }
}
