import type { SparseCounts } from './sparse-counts.ts';
import type { WideEncoding, WideTotals } from './wide-totals.ts';

/** Bytes of a kernel's {@link DistributionKernel.window}: a multiple of every dtype's group of whole bytes. */
export const WINDOW_BYTES = 24 * 43_690;

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
  /**
   * Memory of {@link WINDOW_BYTES} to read windows into, for one caller at a time: what lies in it is taken in without being
   * copied first. Any other memory serves as well.
   */
  readonly window: Uint8Array;
  patternCounter(bits: 4 | 8 | 16): PatternCounter;
  wideScanner(encoding: WideEncoding): WideScanner;
}
