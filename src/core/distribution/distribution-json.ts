import type { JsonInput } from '../../shared/strict-json.ts';
import type { DistributionData } from './distribution.ts';
import type { SparseCounts } from './sparse-counts.ts';

/** Keys as the distance of each from the one before it, which makes the text shorter; the first from −1. */
const countsJson = ({ keys, counts }: SparseCounts): { readonly steps: JsonInput; readonly counts: JsonInput } => ({
  steps: Array.from(keys, (key, at) => key - (keys[at - 1] ?? -1)),
  counts: Array.from(counts),
});

/**
 * A distribution as plain JSON: all that merging needs, without loss. Of up to 16 bits `{kind: "patterns", dtype, f6Order?,
 * steps, counts}`, of wider ones `{kind: "wide", dtype, …, sum, sumSquares, steps, counts}`; `steps` are distances between
 * ascending keys, the first counted from −1.
 */
export const distributionJson = (data: DistributionData): JsonInput => {
  if (data.kind === 'patterns') {
    return { kind: data.kind, dtype: data.dtype, f6Order: data.f6Order, ...countsJson(data.patterns) };
  }
  const { keys, moments, ...tally } = data.totals;
  return {
    kind: data.kind,
    dtype: data.dtype,
    ...tally,
    sum: moments.sum.toString(),
    sumSquares: moments.sumSquares.toString(),
    ...countsJson(keys),
  };
};
