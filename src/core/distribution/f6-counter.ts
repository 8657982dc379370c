import type { DtypeInfo } from '../dtypes/dtype-table.ts';
import { type F6Order, unpackCodes } from '../dtypes/sub-byte.ts';
import type { PatternCounter } from './kernels.ts';
import { type SparseCounts, sparseCounts } from './sparse-counts.ts';

/** Elements unpacked at once. */
const CHUNK = 4096;

/** {@link PatternCounter} of 6-bit patterns in a bit order somebody named. Nobody writes such tensors yet: not a kernel. */
export class F6Counter implements PatternCounter {
  readonly #info: DtypeInfo;
  readonly #order: F6Order;
  readonly #table = new Float64Array(64);

  constructor(info: DtypeInfo, order: F6Order) {
    this.#info = info;
    this.#order = order;
  }

  add(bytes: Uint8Array): void {
    const elements = (bytes.length / 3) * 4;
    for (let first = 0; first < elements; first += CHUNK) {
      for (const code of unpackCodes(this.#info, bytes, first, Math.min(CHUNK, elements - first), this.#order)) {
        this.#table[code] = (this.#table[code] ?? 0) + 1;
      }
    }
  }

  drain(): SparseCounts {
    const counts = sparseCounts(this.#table);
    this.#table.fill(0);
    return counts;
  }

  release(): void {
    this.#table.fill(0);
  }
}
