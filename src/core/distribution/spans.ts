/**
 * Finite elements in ascending order: `counts[i]` of them lie in [`low[i]`, `high[i]`]. A span whose edges are equal is that
 * one value, exactly; others come from numbers too wide to count each value.
 */
export interface Spans {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly counts: Float64Array;
  /** Sum of `counts`. */
  readonly total: number;
}

/** Spans of one value each. */
export const pointSpans = (values: Float64Array, counts: Float64Array): Spans => ({
  low: values,
  high: values,
  counts,
  total: counts.reduce((sum, count) => sum + count, 0),
});
