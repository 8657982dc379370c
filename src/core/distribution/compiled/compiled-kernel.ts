import { type DistributionKernel, type PatternCounter, WINDOW_BYTES, type WideScanner } from '../kernels.ts';
import { mergeCounts, noCounts, type SparseCounts, sparseCounts, splitCounts } from '../sparse-counts.ts';
import { mergeTotals, noTotals, type WideEncoding, type WideTotals } from '../wide-totals.ts';
import type { CompiledLoops } from './compiled-loops.ts';
import { type LoopKind, LoopTool, Turn } from './loop-tool.ts';
import { float32Totals, float64Totals, intTotals } from './loop-totals.ts';

const patterns = (bits: number): LoopKind<SparseCounts, SparseCounts> => ({
  bits,
  none: noCounts,
  of: (counts) => counts,
  merge: mergeCounts,
});

const wide = <Raw>(bits: number, of: (raw: Raw, count: number) => WideTotals): LoopKind<Raw, WideTotals> => ({
  bits,
  none: noTotals,
  of,
  merge: mergeTotals,
});

/** Counts 4-bit patterns as pairs, and takes the pairs apart when drained. */
const nibbleCounter = (pairs: PatternCounter): PatternCounter => ({
  add: (bytes) => pairs.add(bytes),
  drain: () => sparseCounts(splitCounts(pairs.drain(), 4)),
  release: () => pairs.release(),
});

/** The kernel over compiled loops. Gives what the plain one gives, to the last bit. */
export class CompiledKernel implements DistributionKernel {
  readonly window: Uint8Array;
  readonly #loops: CompiledLoops;
  readonly #limit: number;
  readonly #turn = new Turn();

  /** @param limit bytes after which sums and counts move to where they cannot overflow; smaller in tests */
  constructor(loops: CompiledLoops, limit = loops.limit) {
    this.window = loops.window.subarray(0, WINDOW_BYTES);
    this.#loops = loops;
    this.#limit = limit;
  }

  patternCounter(bits: 4 | 8 | 16): PatternCounter {
    const { halves, bytes } = this.#loops;
    if (bits === 16) {
      return new LoopTool(halves, patterns(16), this.#turn, this.#limit);
    }
    const counter = new LoopTool(bytes, patterns(8), this.#turn, this.#limit);
    return bits === 8 ? counter : nibbleCounter(counter);
  }

  wideScanner(encoding: WideEncoding): WideScanner {
    const loops = this.#loops;
    switch (encoding) {
      case 'f32':
        return new LoopTool(loops.f32, wide(32, float32Totals), this.#turn, this.#limit);
      case 'f64':
        return new LoopTool(loops.f64, wide(64, float64Totals), this.#turn, this.#limit);
      case 'i32':
      case 'u32':
        return new LoopTool(loops[encoding], wide(32, intTotals), this.#turn, this.#limit);
      case 'i64':
      case 'u64':
        return new LoopTool(loops[encoding], wide(64, intTotals), this.#turn, this.#limit);
    }
  }
}
