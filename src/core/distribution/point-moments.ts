import { Float32Moments } from './float32-moments.ts';
import { addMoments, type Moments, NO_MOMENTS } from './moments.ts';
import type { Spans } from './spans.ts';

/** Elements that {@link Float32Moments} take exactly when values have at most 16 significant bits. */
const ONE_PASS = 2 ** 36;
/** Larger counts are taken apart into digits of this base; 65,536 digits stay within one pass. */
const DIGIT = 2 ** 20;

const weightedMoments = (patterns: Uint32Array, weights: Float64Array): Moments => {
  const moments = new Float32Moments();
  patterns.forEach((pattern, index) => {
    const weight = weights[index] ?? 0;
    const low = pattern & 0xffff;
    moments.add(pattern >>> 16, weight, weight * low, weight * low * low);
  });
  return moments.moments();
};

/**
 * Exact sums over counted values, in units of 2^-149 and 2^-298.
 *
 * @param spans points that are float32 values of at most 16 significant bits, as those of every dtype of up to 16 bits are
 */
export const pointMoments = (spans: Spans): Moments => {
  const patterns = new Uint32Array(Float32Array.from(spans.low).buffer);
  if (spans.total <= ONE_PASS) {
    return weightedMoments(patterns, spans.counts);
  }
  let moments = NO_MOMENTS;
  let rest = spans.counts;
  for (let shift = 0n; rest.some((count) => count > 0); shift += 20n) {
    const digits = weightedMoments(
      patterns,
      rest.map((count) => count % DIGIT),
    );
    moments = addMoments(moments, { sum: digits.sum << shift, sumSquares: digits.sumSquares << shift });
    rest = rest.map((count) => Math.floor(count / DIGIT));
  }
  return moments;
};
