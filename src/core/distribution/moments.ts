import { ratioToNumber, sqrtRatioToNumber } from './exact-ratio.ts';

/** Exact sums over finite elements: of the elements in units of 2^unit, of their squares in units of 2^(2·unit). */
export interface Moments {
  readonly sum: bigint;
  readonly sumSquares: bigint;
}

/** Sums over no elements. */
export const NO_MOMENTS: Moments = { sum: 0n, sumSquares: 0n };

/** The sums over both together. */
export const addMoments = (a: Moments, b: Moments): Moments => ({
  sum: a.sum + b.sum,
  sumSquares: a.sumSquares + b.sumSquares,
});

/** The sums over the same `count` elements, each larger by `offset` units. */
export const shiftMoments = ({ sum, sumSquares }: Moments, count: number, offset: bigint): Moments => ({
  sum: sum + BigInt(count) * offset,
  sumSquares: sumSquares + 2n * offset * sum + BigInt(count) * offset * offset,
});

/**
 * Mean and population standard deviation from exact sums: the mean correctly rounded, std within 0.5001 units in the last
 * place. Nothing cancels, and how the sums were put together does not matter.
 *
 * @param count finite elements, positive
 * @param unit binary exponent that the sums are in
 */
export const meanAndStd = (
  count: number,
  { sum, sumSquares }: Moments,
  unit: number,
): { mean: number; std: number } => {
  const n = BigInt(count);
  return {
    mean: ratioToNumber(sum, n, unit),
    // n²·variance = n·Σx² − (Σx)²
    std: sqrtRatioToNumber(n * sumSquares - sum * sum, n, unit),
  };
};

/** The same sums in units 2^`by` times smaller. @param by not negative */
export const rescaleMoments = ({ sum, sumSquares }: Moments, by: number): Moments => ({
  sum: sum << BigInt(by),
  sumSquares: sumSquares << BigInt(2 * by),
});
