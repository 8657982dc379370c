import type { SparseCounts } from '../sparse-counts.ts';
import { orderKeys } from '../wide-keys.ts';
import { TouchedBlocks } from './touched-blocks.ts';

/** Counts by the upper bits of a float: hot loops write to `table`, at most 2^32 − 1 elements between two takes. */
export class KeyTable {
  /** Indexed by raw upper bits, sign first. */
  readonly table: Uint32Array;
  readonly #bits: number;
  readonly #touched: TouchedBlocks;

  constructor(bits: 16 | 19) {
    this.#bits = bits;
    this.table = new Uint32Array(2 ** bits);
    this.#touched = new TouchedBlocks(2 ** bits);
  }

  /**
   * To be told of every window that was counted.
   *
   * @param words 32-bit words that begin with the key, every `stride`th from `first` on
   */
  touch(words: Uint32Array, first: number, stride: number): void {
    if (this.#touched.wantsMarks(words.length / stride)) {
      for (let index = first; index < words.length; index += stride) {
        this.#touched.mark((words[index] ?? 0) >>> (32 - this.#bits));
      }
    }
  }

  /** The counts by order-preserving key; the table is empty afterwards. */
  take(): SparseCounts {
    const raw = this.#touched.collect(this.table);
    this.#touched.forEach((from, to) => {
      this.table.fill(0, from, to);
    });
    this.#touched.clear();
    return orderKeys(raw, this.#bits);
  }
}
