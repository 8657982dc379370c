import type { Spans } from './spans.ts';

/** Spans in ascending order of where they begin, then of where they end. */
const interleave = (a: Spans, b: Spans): Spans => {
  const length = a.counts.length + b.counts.length;
  const merged = {
    low: new Float64Array(length),
    high: new Float64Array(length),
    counts: new Float64Array(length),
    total: a.total + b.total,
  };
  let left = 0;
  let right = 0;
  for (let at = 0; at < length; at += 1) {
    const lowA = a.low[left] ?? Number.POSITIVE_INFINITY;
    const lowB = b.low[right] ?? Number.POSITIVE_INFINITY;
    const fromA =
      left < a.counts.length &&
      (right >= b.counts.length || lowA < lowB || (lowA === lowB && (a.high[left] ?? 0) <= (b.high[right] ?? 0)));
    const from = fromA ? a : b;
    const index = fromA ? left : right;
    merged.low[at] = from.low[index] ?? 0;
    merged.high[at] = from.high[index] ?? 0;
    merged.counts[at] = from.counts[index] ?? 0;
    left += fromA ? 1 : 0;
    right += fromA ? 0 : 1;
  }
  return merged;
};

/** Makes one span of those that reach into each other, and one point of equal points. */
const coalesce = ({ low, high, counts, total }: Spans): Spans => {
  let length = 0;
  for (let at = 0; at < counts.length; at += 1) {
    const from = low[at] ?? 0;
    const to = high[at] ?? 0;
    const lastFrom = low[length - 1] ?? 0;
    const lastTo = high[length - 1] ?? 0;
    if (length > 0 && (from < lastTo || (from === to && lastFrom === lastTo && from === lastTo))) {
      high[length - 1] = Math.max(lastTo, to);
      counts[length - 1] = (counts[length - 1] ?? 0) + (counts[at] ?? 0);
    } else {
      low[length] = from;
      high[length] = to;
      counts[length] = counts[at] ?? 0;
      length += 1;
    }
  }
  return { low: low.slice(0, length), high: high.slice(0, length), counts: counts.slice(0, length), total };
};

/**
 * The elements of all of them together, in ascending order again.
 *
 * Points stay points, and exact. A point inside a wider span becomes part of it: where in the span the others lie is not
 * known. The spans of every wide encoding are cut along the same lines (7 bits of mantissa, see wide-keys.ts), so none
 * grows by this.
 */
export const mergeSpans = (list: readonly Spans[]): Spans => {
  const [first, ...others] = list;
  if (first === undefined) {
    return { low: new Float64Array(0), high: new Float64Array(0), counts: new Float64Array(0), total: 0 };
  }
  return others.length === 0 ? first : coalesce(others.reduce(interleave, first));
};
