import type { Float64Row } from '../float64-rows.ts';
import type { Moments } from '../moments.ts';
import type { SparseCounts } from '../sparse-counts.ts';

/** One hot loop. */
export interface Loop<Totals> {
  /** Takes in whole elements: little-endian, any alignment. */
  scan(bytes: Uint8Array): void;
  /** What was taken in since the last drain; the loop is empty afterwards. */
  drain(): Totals;
}

/**
 * Magnitudes of the finite numbers farthest from zero and next to it, by sign; 0n where there is none of that sign. Of floats
 * they are bit patterns.
 */
export interface Reach {
  readonly farNegative: bigint;
  readonly nearNegative: bigint;
  readonly nearPositive: bigint;
  readonly farPositive: bigint;
}

/** What every loop over wide numbers tells. */
export interface LoopTotals {
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  /** Both signs of zero. */
  readonly zeros: number;
  readonly negZeros: number;
  readonly subnormals: number;
  readonly reach: Reach;
  /** The finite nonzero numbers by order-preserving key (see wide-keys.ts). */
  readonly keys: SparseCounts;
}

export interface Float32LoopTotals extends LoopTotals {
  /** By entry of `keys`: the sum of the lower 16 bits of the patterns. */
  readonly lowSums: Float64Array;
  /** By exponent field: the sum of the squares of those bits. */
  readonly lowSquares: BigUint64Array;
}

export interface Float64LoopTotals extends LoopTotals {
  readonly rows: readonly Float64Row[];
}

export interface IntLoopTotals extends LoopTotals {
  readonly moments: Moments;
}

/**
 * Hot loops compiled to something faster than TypeScript. They share one table: only one of them may hold anything, and has to
 * be drained before another one scans.
 */
export interface CompiledLoops {
  /** Memory of the loops that the caller may fill: they scan what lies in it without copying it first. */
  readonly window: Uint8Array;
  /** Bytes that a loop takes between two drains. */
  readonly limit: number;
  /** Counts bytes, by value. */
  readonly bytes: Loop<SparseCounts>;
  /** Counts 16-bit patterns. */
  readonly halves: Loop<SparseCounts>;
  readonly f32: Loop<Float32LoopTotals>;
  readonly f64: Loop<Float64LoopTotals>;
  readonly i32: Loop<IntLoopTotals>;
  readonly u32: Loop<IntLoopTotals>;
  readonly i64: Loop<IntLoopTotals>;
  readonly u64: Loop<IntLoopTotals>;
}
