import type { PickleNode } from './nodes.ts';

/** Slots that may be left out for the numbers to count as consecutive; Python 2 begins at 1. */
const SMALL_GAP = 16;

/** The memo: consecutive slots, as picklers write them, in an array, all others in a map, so that no number allocates. */
export class Memo {
  readonly #dense: (PickleNode | undefined)[] = [];
  readonly #sparse = new Map<number, PickleNode>();
  /** Slots in use, which is where MEMOIZE writes next: not the highest number and one. */
  size = 0;

  get(slot: number): PickleNode | undefined {
    return this.#dense[slot] ?? this.#sparse.get(slot);
  }

  put(slot: number, node: PickleNode): void {
    const dense = this.#dense;
    const inMap = this.#sparse.size > 0 && this.#sparse.has(slot);
    if (!inMap && this.get(slot) === undefined) {
      this.size += 1;
    }
    if (inMap || slot - dense.length > SMALL_GAP) {
      this.#sparse.set(slot, node);
      return;
    }
    while (dense.length < slot) {
      dense.push(undefined);
    }
    dense[slot] = node;
  }
}
