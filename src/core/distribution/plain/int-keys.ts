import type { SparseCounts } from '../sparse-counts.ts';
import { keyEdges } from '../wide-keys.ts';
import type { WideTotals } from '../wide-totals.ts';
import { KeyTable } from './key-table.ts';

/** Integers turned into float32 and counted at once. */
export const KEY_CHUNK = 8192;

/** Integers of a smaller magnitude have a key to themselves. */
export const POINT_KEYS = 256;

/**
 * The integers next to zero: where their magnitude is below {@link POINT_KEYS} the keys say which they are.
 *
 * @param keys of nonzero integers
 * @param found what a search says; it may give up below {@link POINT_KEYS}
 */
export const nearZero = (
  keys: SparseCounts,
  found: Pick<WideTotals, 'maxNegative' | 'minPositive'>,
): Pick<WideTotals, 'maxNegative' | 'minPositive'> => {
  const edges = keyEdges('i32');
  const firstPositive = keys.keys.findIndex((key) => key >= 0x8000);
  const positives = firstPositive < 0 ? keys.keys.length : firstPositive;
  const positive = keys.keys[positives];
  const negative = keys.keys[positives - 1];
  const low = positive === undefined ? POINT_KEYS : edges(positive).low;
  const high = negative === undefined ? -POINT_KEYS : edges(negative).high;
  return {
    maxNegative: high > -POINT_KEYS ? high : found.maxNegative,
    minPositive: low < POINT_KEYS ? low : found.minPositive,
  };
};

/** Counts integers by the upper 16 bits of their float32. */
export class IntKeys {
  /** Where the caller puts the numbers, at most {@link KEY_CHUNK}; they are rounded to nearest. */
  readonly floats = new Float32Array(KEY_CHUNK);
  readonly #words = new Uint32Array(this.floats.buffer);
  readonly #keys = new KeyTable(16);

  /**
   * Counts the first `length` of {@link floats}.
   *
   * @returns how many of them are zero
   */
  count(length: number): number {
    const { table } = this.#keys;
    const words = this.#words;
    for (let index = 0; index < length; index += 1) {
      const key = (words[index] ?? 0) >>> 16;
      table[key] = (table[key] ?? 0) + 1;
    }
    this.#keys.touch(words.subarray(0, length), 0, 1);
    // No integer but 0 has the upper bits of 0; zeros get no key.
    const zeros = table[0] ?? 0;
    table[0] = 0;
    return zeros;
  }

  /** The counts of nonzero numbers by order-preserving key; nothing is left afterwards. */
  take(): SparseCounts {
    return this.#keys.take();
  }
}
