import type { SparseCounts } from '../sparse-counts.ts';
import { KeyTable } from './key-table.ts';

/** Integers turned into float32 and counted at once. */
export const KEY_CHUNK = 4096;

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
