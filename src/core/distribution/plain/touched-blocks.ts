import type { SparseCounts } from '../sparse-counts.ts';

/** Table entries a block has, as a shift. */
const BLOCK_SHIFT = 6;
const BLOCK = 1 << BLOCK_SHIFT;

/** Elements up to which it is cheaper to note each one's block than to walk over the whole table. */
const FEW_ELEMENTS = 16384;

/**
 * Which blocks of a large table may hold anything but zero, so that a tensor of a few elements costs no walk over the whole
 * table.
 */
export class TouchedBlocks {
  readonly #size: number;
  readonly #flags: Uint8Array;
  #blocks: number[] = [];
  #elements = 0;
  #all = false;

  /** @param size entries of the table, a multiple of 64 */
  constructor(size: number) {
    this.#size = size;
    this.#flags = new Uint8Array(size / BLOCK);
  }

  /**
   * To be asked for every window before or after it is counted.
   *
   * @returns whether each of its `elements` has to be marked
   */
  wantsMarks(elements: number): boolean {
    this.#elements += elements;
    this.#all ||= this.#elements > FEW_ELEMENTS;
    return !this.#all;
  }

  /** Entry `key` was written to. */
  mark(key: number): void {
    const block = key >>> BLOCK_SHIFT;
    if (this.#flags[block] === 0) {
      this.#flags[block] = 1;
      this.#blocks.push(block);
    }
  }

  /** Visits the touched entries as ranges [from, to), ascending. */
  forEach(visit: (from: number, to: number) => void): void {
    if (this.#all) {
      visit(0, this.#size);
      return;
    }
    for (const block of this.#blocks.sort((a, b) => a - b)) {
      visit(block * BLOCK, (block + 1) * BLOCK);
    }
  }

  /** The table is all zeros again. */
  clear(): void {
    if (this.#blocks.length > 0) {
      this.#flags.fill(0);
      this.#blocks = [];
    }
    this.#elements = 0;
    this.#all = false;
  }

  /** The nonzero entries of the table by index. */
  collect(table: Uint32Array | Float64Array): SparseCounts {
    let found = 0;
    this.forEach((from, to) => {
      for (let key = from; key < to; key += 1) {
        found += table[key] === 0 ? 0 : 1;
      }
    });
    const keys = new Uint32Array(found);
    const counts = new Float64Array(found);
    let length = 0;
    this.forEach((from, to) => {
      for (let key = from; key < to; key += 1) {
        const count = table[key] ?? 0;
        if (count > 0) {
          keys[length] = key;
          counts[length] = count;
          length += 1;
        }
      }
    });
    return { keys, counts };
  }
}
