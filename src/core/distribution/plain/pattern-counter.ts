import type { PatternCounter } from '../kernels.ts';
import { mergeCounts, noCounts, type SparseCounts, sparseCounts, splitCounts } from '../sparse-counts.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { TouchedBlocks } from './touched-blocks.ts';

/** Elements after which the 32-bit tables are emptied, whatever they hold. */
const SPILL = 2 ** 31;
const CHUNK_BYTES = 1 << 20;

/** Two tables in turn, so that a run of one value does not wait for its own last store. */
const countHalves = (halves: Uint16Array, even: Uint32Array, odd: Uint32Array): void => {
  const { length } = halves;
  let index = 0;
  for (; index + 3 < length; index += 4) {
    const a = halves[index] ?? 0;
    const b = halves[index + 1] ?? 0;
    const c = halves[index + 2] ?? 0;
    const d = halves[index + 3] ?? 0;
    even[a] = (even[a] ?? 0) + 1;
    odd[b] = (odd[b] ?? 0) + 1;
    even[c] = (even[c] ?? 0) + 1;
    odd[d] = (odd[d] ?? 0) + 1;
  }
  for (; index < length; index += 1) {
    const a = halves[index] ?? 0;
    even[a] = (even[a] ?? 0) + 1;
  }
};

/** {@link PatternCounter} of 16-bit patterns. */
export class HalfCounter implements PatternCounter {
  readonly #even = new Uint32Array(65536);
  readonly #odd = new Uint32Array(65536);
  readonly #touched = new TouchedBlocks(65536);
  readonly #release: (counter: HalfCounter) => void;
  readonly #spill: number;
  #pending = 0;
  #spilled = noCounts();

  /** @param spill elements after which sums and counts move to where they cannot overflow; smaller in tests */
  constructor(release: (counter: HalfCounter) => void, spill = SPILL) {
    this.#release = release;
    this.#spill = spill;
  }

  add(bytes: Uint8Array): void {
    forAlignedChunks(bytes, 2, CHUNK_BYTES, (chunk) => {
      this.#addHalves(new Uint16Array(chunk.buffer, chunk.byteOffset, chunk.length / 2));
    });
  }

  drain(): SparseCounts {
    const counts = mergeCounts(this.#spilled, this.#take());
    this.#spilled = noCounts();
    return counts;
  }

  release(): void {
    this.#release(this);
  }

  #addHalves(halves: Uint16Array): void {
    if (this.#pending + halves.length > this.#spill) {
      this.#spilled = mergeCounts(this.#spilled, this.#take());
    }
    this.#pending += halves.length;
    countHalves(halves, this.#even, this.#odd);
    if (this.#touched.wantsMarks(halves.length)) {
      for (const half of halves) {
        this.#touched.mark(half);
      }
    }
  }

  #take(): SparseCounts {
    const even = this.#even;
    const odd = this.#odd;
    this.#touched.forEach((from, to) => {
      for (let key = from; key < to; key += 1) {
        even[key] = (even[key] ?? 0) + (odd[key] ?? 0);
      }
    });
    const counts = this.#touched.collect(even);
    this.#touched.forEach((from, to) => {
      even.fill(0, from, to);
      odd.fill(0, from, to);
    });
    this.#touched.clear();
    this.#pending = 0;
    return counts;
  }
}

/**
 * {@link PatternCounter} of 8- or 4-bit patterns: counts pairs of bytes as one 16-bit pattern, which takes half the steps,
 * and takes the pairs apart when drained.
 */
export class ByteCounter implements PatternCounter {
  readonly #pairs: HalfCounter;
  readonly #bits: 4 | 8;
  /** Bytes that have no partner. */
  readonly #single = new Float64Array(256);

  constructor(bits: 4 | 8, pairs: HalfCounter) {
    this.#bits = bits;
    this.#pairs = pairs;
  }

  add(bytes: Uint8Array): void {
    const begin = Math.min(bytes.byteOffset % 2, bytes.length);
    const end = bytes.length - ((bytes.length - begin) % 2);
    if (begin === 1) {
      this.#addSingle(bytes[0] ?? 0);
    }
    this.#pairs.add(bytes.subarray(begin, end));
    if (end < bytes.length) {
      this.#addSingle(bytes[end] ?? 0);
    }
  }

  drain(): SparseCounts {
    const byteTable = splitCounts(this.#pairs.drain(), 8);
    for (let byte = 0; byte < 256; byte += 1) {
      byteTable[byte] = (byteTable[byte] ?? 0) + (this.#single[byte] ?? 0);
    }
    this.#single.fill(0);
    const bytes = sparseCounts(byteTable);
    return this.#bits === 8 ? bytes : sparseCounts(splitCounts(bytes, 4));
  }

  release(): void {
    this.#pairs.release();
  }

  #addSingle(byte: number): void {
    this.#single[byte] = (this.#single[byte] ?? 0) + 1;
  }
}
