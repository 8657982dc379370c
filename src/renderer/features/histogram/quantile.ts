import type { Histogram } from '../../../shared/checkpoint-types.ts';

/** The bin in which a share of the finite elements is reached, and how far into it. */
export interface QuantileBin {
  readonly low: number;
  readonly high: number;
  /** Linear interpolation inside the bin. */
  readonly value: number;
}

/** Finds the `share` quantile (0 to 1) among `total` finite elements; undefined when it lies outside the histogram. */
export const quantileBin = (
  { edges, counts, below }: Pick<Histogram, 'edges' | 'counts' | 'below'>,
  total: number,
  share: number,
): QuantileBin | undefined => {
  const rank = share * (total - 1);
  let before = below;
  if (rank < before) {
    return undefined;
  }
  for (let bin = 0; bin < counts.length; bin += 1) {
    const count = counts[bin] ?? 0;
    const low = edges[bin];
    const high = edges[bin + 1];
    if (count > 0 && rank < before + count && low !== undefined && high !== undefined) {
      return { low, high, value: low + ((rank - before + 0.5) / count) * (high - low) };
    }
    before += count;
  }
  return undefined;
};

/** Asks for a histogram over a range, or over everything when left out. */
export type AskHistogram = (
  bins: number,
  range?: { readonly low: number; readonly high: number },
) => Promise<Histogram>;

const FULL_BINS = 65_536;
const FINE_BINS = 4096;

/**
 * A quantile that the summary does not carry, from a histogram of everything and a second one inside the bin it falls
 * into: outliers can make the first one's bins wide.
 */
export const findQuantile = async (
  ask: AskHistogram,
  full: Histogram,
  total: number,
  share: number,
): Promise<number | undefined> => {
  const coarse = quantileBin(full, total, share);
  if (coarse === undefined || coarse.high <= coarse.low) {
    return coarse?.value;
  }
  const fine = await ask(FINE_BINS, { low: coarse.low, high: coarse.high });
  return quantileBin(fine, total, share)?.value ?? coarse.value;
};

/** The range between the `share` and the `1 − share` quantile. */
export const findTailRange = async (
  ask: AskHistogram,
  total: number,
  share: number,
): Promise<{ readonly low: number; readonly high: number } | undefined> => {
  const full = await ask(FULL_BINS);
  const [low, high] = await Promise.all([
    findQuantile(ask, full, total, share),
    findQuantile(ask, full, total, 1 - share),
  ]);
  return low === undefined || high === undefined ? undefined : { low, high };
};
