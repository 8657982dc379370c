import type { Spans } from './spans.ts';

/** The element with `rank` elements before it; the last one for a rank beyond. */
const elementAt = ({ low, high }: Spans, cumulative: Float64Array, rank: number): number => {
  let from = 0;
  let to = cumulative.length - 1;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((cumulative[middle] ?? 0) > rank) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return representative(low[from] ?? 0, high[from] ?? 0);
};

/**
 * The number whose distance to every number of [a, b] is smallest relative to that number: the harmonic mean 2ab / (a + b),
 * off by at most (b − a) / (a + b). Of a span that begins or ends at zero, the middle.
 */
const representative = (a: number, b: number): number => {
  if (a === b) {
    return a;
  }
  // Written so that no step overflows.
  return a === 0 || b === 0 ? (a + b) / 2 : a * (2 / (1 + a / b));
};

/** numpy's own interpolation, rounding included, except where its difference overflows. */
const lerp = (a: number, b: number, t: number): number => {
  const step = b - a;
  if (!Number.isFinite(step)) {
    return a * (1 - t) + b * t;
  }
  return t >= 0.5 ? b - step * (1 - t) : a + step * t;
};

/**
 * Quantiles by linear interpolation between the two elements around (n − 1)·q, as numpy.quantile's default.
 *
 * Over points they are exact. Over wider spans each of those two elements is within 2^-8 of itself (subnormals: within half
 * their span).
 *
 * @param spans of at least one element
 * @param fractions each in [0, 1]
 */
export const quantilesOf = (spans: Spans, fractions: readonly number[]): number[] => {
  const cumulative = new Float64Array(spans.counts.length);
  let sum = 0;
  spans.counts.forEach((count, index) => {
    sum += count;
    cumulative[index] = sum;
  });
  return fractions.map((fraction) => {
    const at = (spans.total - 1) * fraction;
    const rank = Math.floor(at);
    const below = elementAt(spans, cumulative, rank);
    const above = elementAt(spans, cumulative, rank + 1);
    return lerp(below, above, at - rank);
  });
};
