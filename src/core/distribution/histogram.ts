import type { Histogram } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { Spans } from './spans.ts';

/** More bins than any screen or report shows; a bound on what a number from outside can make us allocate. */
export const MAX_BINS = 1 << 20;

/**
 * `bins` + 1 equally spaced edges, rounded as numpy.linspace rounds them. A range of no width becomes [low − 0.5, high + 0.5],
 * as in numpy.histogram.
 */
export const linearEdges = (bins: number, low: number, high: number): Float64Array => {
  const first = low === high ? low - 0.5 : low;
  const last = low === high ? high + 0.5 : high;
  const step = (last - first) / bins;
  const edges = new Float64Array(bins + 1);
  for (let index = 0; index < bins; index += 1) {
    if (!Number.isFinite(step)) {
      edges[index] = (first / 2 + ((last / 2 - first / 2) / bins) * index) * 2;
    } else {
      // numpy divides first where the step would vanish among subnormals.
      edges[index] = (step === 0 ? (index / bins) * (last - first) : index * step) + first;
    }
  }
  edges[bins] = last;
  return edges;
};

/** Counts elements below an edge; edges must be asked for in ascending order. */
const belowCounter = ({ low, high, counts }: Spans) => {
  let span = 0;
  let passed = 0;
  return (edge: number, inclusive: boolean): number => {
    const isPassed = (value: number): boolean => value < edge || (inclusive && value === edge);
    while (span < counts.length && isPassed(high[span] ?? 0)) {
      passed += counts[span] ?? 0;
      span += 1;
    }
    const from = low[span] ?? edge;
    const to = high[span] ?? edge;
    // Within a span the elements are taken to be spread evenly.
    return edge > from && to > from ? passed + ((counts[span] ?? 0) * (edge - from)) / (to - from) : passed;
  };
};

/**
 * Histogram over [low, high] in equal bins, as numpy.histogram counts: each bin holds its lower edge, the last one its upper
 * edge too.
 *
 * Over points the counts are exact. Over wider spans they are interpolated and rounded, so that they are whole and add up to
 * the elements in range.
 *
 * @param bins 1 … {@link MAX_BINS}
 * @throws LoupeError `histogram-bins`; `histogram-range` when low > high or either is not finite
 */
export const histogramOf = (spans: Spans, bins: number, low: number, high: number, exact: boolean): Histogram => {
  if (!Number.isInteger(bins) || bins < 1 || bins > MAX_BINS) {
    throw new LoupeError('histogram-bins', `a histogram has 1 to ${MAX_BINS} bins, not ${bins}`, { bins });
  }
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) {
    throw new LoupeError('histogram-range', `[${low}, ${high}] is no range of a histogram`, { low, high });
  }
  const edges = linearEdges(bins, low, high);
  const countBelow = belowCounter(spans);
  const below = Math.round(countBelow(edges[0] ?? low, false));
  const counts = new Float64Array(bins);
  let previous = below;
  for (let bin = 0; bin < bins; bin += 1) {
    const next = Math.round(countBelow(edges[bin + 1] ?? high, bin === bins - 1));
    counts[bin] = next - previous;
    previous = next;
  }
  return { edges, counts, below, above: spans.total - previous, exact };
};
