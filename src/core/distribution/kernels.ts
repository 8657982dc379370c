import type { SparseCounts } from './sparse-counts.ts';
import type { WideEncoding, WideTotals } from './wide-totals.ts';

/**
 * Counts bit patterns of 4, 8 or 16 bits.
 *
 * A 4-bit counter's windows are whole bytes, two patterns each.
 */
export interface PatternCounter {
  /** Counts every pattern in `bytes`: little-endian, any alignment, whole elements. */
  add(bytes: Uint8Array): void;
  /** What was added since the last drain, by pattern; the counter is empty afterwards. */
  drain(): SparseCounts;
  /** The caller drained it and lets go of it for good; it may serve somebody else next. */
  release(): void;
}

/** Makes one pass over numbers of 32 or 64 bits. */
export interface WideScanner {
  /** Takes in every number in `bytes`: little-endian, any alignment, whole elements. */
  add(bytes: Uint8Array): void;
  /** The exact totals of what was added since the last drain; the scanner is empty afterwards. */
  drain(): WideTotals;
  /** The caller drained it and lets go of it for good; it may serve somebody else next. */
  release(): void;
}

/**
 * The hot loops behind a distribution. Every implementation gives the same answers to the last bit; they differ in speed.
 * Counters and scanners take any number of elements between two drains.
 */
export interface DistributionKernel {
  patternCounter(bits: 4 | 8 | 16): PatternCounter;
  wideScanner(encoding: WideEncoding): WideScanner;
}
