/** Table entries a block has. */
const BLOCK = 256;

/** Windows of fewer elements are looked through once more for the blocks they touch. */
export const SMALL_WINDOW = 2048;

/**
 * Which blocks of a large table may hold anything but zero, so that a tensor of a few elements costs no walk over the whole
 * table.
 */
export class TouchedBlocks {
  readonly #flags: Uint8Array;
  #all = false;

  /** @param size entries of the table, a multiple of 256 */
  constructor(size: number) {
    this.#flags = new Uint8Array(size / BLOCK);
  }

  /** Entry `key` was written to. */
  mark(key: number): void {
    this.#flags[key >>> 8] = 1;
  }

  /** Any entry may have been written to. */
  markAll(): void {
    this.#all = true;
  }

  /** Visits the touched entries' ranges [from, to), ascending. */
  forEach(visit: (from: number, to: number) => void): void {
    for (let block = 0; block < this.#flags.length; block += 1) {
      if (this.#all || this.#flags[block] === 1) {
        visit(block * BLOCK, (block + 1) * BLOCK);
      }
    }
  }

  /** The table is all zeros again. */
  clear(): void {
    this.#flags.fill(0);
    this.#all = false;
  }
}
