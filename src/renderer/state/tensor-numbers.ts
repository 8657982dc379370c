import type { Histogram, TensorStats } from '../../shared/checkpoint-types.ts';

/** Bars of a sparkline. */
export const SPARK_BARS = 32;

/**
 * A tensor's statistics as the window keeps them for every row. The histogram is reduced to a sparkline: at 150,000
 * tensors the whole one would take hundreds of megabytes.
 */
export type TensorNumbers = Omit<TensorStats, 'histogram'> & {
  /** {@link SPARK_BARS} heights from 0 to 255; undefined when there are no finite elements. */
  readonly spark: Uint8Array | undefined;
};

/** Heights of a sparkline: counts added up into 32 bars, the highest 255; a bar that holds anything is at least 1. */
export const sparkHeights = (histogram: Pick<Histogram, 'counts'>): Uint8Array => {
  const { counts } = histogram;
  const sums = new Float64Array(SPARK_BARS);
  counts.forEach((count, bin) => {
    const bar = Math.min(SPARK_BARS - 1, Math.floor((bin * SPARK_BARS) / counts.length));
    sums[bar] = (sums[bar] ?? 0) + count;
  });
  const highest = sums.reduce((top, sum) => Math.max(top, sum), 0);
  return Uint8Array.from(sums, (sum) => (sum === 0 ? 0 : Math.max(1, Math.round((sum / highest) * 255))));
};

/** Reduces statistics to what a row needs. */
export const toNumbers = ({ histogram, ...stats }: TensorStats): TensorNumbers => ({
  ...stats,
  spark: histogram === undefined ? undefined : sparkHeights(histogram),
});
