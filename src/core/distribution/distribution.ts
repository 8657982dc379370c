import type { Histogram, TensorStats } from '../../shared/checkpoint-types.ts';
import type { F6Order } from '../dtypes/sub-byte.ts';
import type { SparseCounts } from './sparse-counts.ts';
import type { WideTotals } from './wide-totals.ts';

/** Bins of a summary's histogram unless said otherwise. */
export const DEFAULT_BINS = 128;

/** Elements by bit pattern: of dtypes of at most 16 bits, where that says everything. */
export interface PatternData {
  readonly kind: 'patterns';
  readonly dtype: string;
  /** Of 6-bit dtypes. */
  readonly f6Order: F6Order | undefined;
  readonly patterns: SparseCounts;
}

/** Totals of one pass: of wider dtypes. */
export interface WideData {
  readonly kind: 'wide';
  readonly dtype: string;
  readonly totals: WideTotals;
}

/**
 * A distribution as plain data: survives a structured clone, its typed arrays own exactly what they show. Bigints appear in
 * `totals.moments`, and as `min` and `max` of 64-bit integers.
 */
export type DistributionData = PatternData | WideData;

/**
 * Exact, mergeable statistics of a tensor, fed window by window.
 *
 * Neither the cut into windows, nor the order of windows or merges changes any result, to the last bit.
 */
export interface Distribution {
  readonly dtype: string;

  /**
   * Takes in one window: little-endian, any alignment, whole elements (4-bit dtypes: whole bytes; 6-bit: whole groups of
   * four elements in three bytes).
   *
   * @throws LoupeError `bytes-not-whole-elements`; nothing was taken in
   */
  add(bytes: Uint8Array): void;

  /**
   * Adds what another distribution holds; the other one keeps it.
   *
   * @throws LoupeError `dtype-mismatch` when the dtypes (or the 6-bit orders) differ
   */
  merge(other: Distribution): void;

  /** Everything it holds, as plain data. More may be added afterwards. */
  toData(): DistributionData;

  /**
   * All statistics, under the tensor's name.
   *
   * @param bins of the histogram over [min, max]
   * @throws LoupeError `histogram-bins`
   */
  summarise(name: string, bins?: number): TensorStats;

  /**
   * A histogram over [low, high], each by default the smallest or largest finite element; a range of no width is widened by
   * 0.5 on either side, as numpy does. Undefined when an edge has to default and there is no finite element.
   *
   * @throws LoupeError `histogram-bins`, `histogram-range`
   */
  histogram(bins: number, low?: number, high?: number): Histogram | undefined;

  /** Bytes of a BOOL tensor that are neither 0 nor 1 (they count as true); 0 for every other dtype. */
  readonly boolOutOfRange: number;
}
