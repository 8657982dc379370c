/** A run of indices of one dimension, `stop` excluded. */
export interface Span {
  readonly start: number;
  readonly stop: number;
}

/**
 * The service's slice text: one index per leading dimension, then one span for each dimension that lies in the grid.
 * `sliceText([0], [{ start: 10, stop: 60 }, { start: 0, stop: 20 }])` is `0,10:60,0:20`.
 */
export const sliceText = (indices: readonly number[], spans: readonly Span[]): string =>
  [...indices.map(String), ...spans.map(({ start, stop }) => `${start}:${stop}`)].join(',');
