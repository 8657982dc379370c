import type { Int } from '../../../shared/checkpoint-types.ts';
import { narrow } from '../../checked-arithmetic.ts';
import { Float32Moments } from '../float32-moments.ts';
import { float64Moments } from '../float64-rows.ts';
import type { Moments } from '../moments.ts';
import type { WideTotals } from '../wide-totals.ts';
import type { Float32LoopTotals, Float64LoopTotals, IntLoopTotals, LoopTotals } from './compiled-loops.ts';

/** The number of a magnitude and a sign. */
type NumberOf = (magnitude: bigint, negative: boolean) => Int;

const float32Of: NumberOf = (magnitude, negative) => {
  const value = new Float32Array(new BigUint64Array([magnitude]).buffer)[0] ?? 0;
  return negative ? -value : value;
};

const float64Of: NumberOf = (magnitude, negative) => {
  const value = new Float64Array(new BigUint64Array([magnitude]).buffer)[0] ?? 0;
  return negative ? -value : value;
};

const integerOf: NumberOf = (magnitude, negative) => narrow(negative ? -magnitude : magnitude);

const wideTotals = (
  { reach, keys, ...tally }: LoopTotals,
  count: number,
  numberOf: NumberOf,
  moments: Moments,
): WideTotals => {
  const known = (magnitude: bigint, negative: boolean): Int | undefined =>
    magnitude === 0n ? undefined : numberOf(magnitude, negative);
  const { nan, posInf, negInf, zeros, negZeros, subnormals } = tally;
  const zero = zeros > 0 ? 0 : undefined;
  const maxNegative = known(reach.nearNegative, true);
  const minPositive = known(reach.nearPositive, false);
  return {
    count,
    nan,
    posInf,
    negInf,
    zeros,
    negZeros,
    subnormals,
    min: known(reach.farNegative, true) ?? zero ?? minPositive,
    max: known(reach.farPositive, false) ?? zero ?? maxNegative,
    maxNegative,
    minPositive,
    moments,
    keys,
  };
};

/** Order-preserving key of a float32 to the upper 16 bits of its pattern. */
const rawKey = (key: number): number => (key >= 0x8000 ? key - 0x8000 : 0xffff - key);

/**
 * The totals of one pass over float32.
 *
 * @param count numbers that were scanned
 */
export const float32Totals = (loop: Float32LoopTotals, count: number): WideTotals => {
  const { lowSums, lowSquares, ...totals } = loop;
  const sums = new Float32Moments();
  totals.keys.keys.forEach((key, index) => {
    sums.add(rawKey(key), totals.keys.counts[index] ?? 0, lowSums[index] ?? 0);
  });
  lowSquares.forEach((squares, exponent) => {
    sums.addLowSquares(exponent, squares);
  });
  return wideTotals(totals, count, float32Of, sums.moments());
};

/** The same of float64. */
export const float64Totals = ({ rows, ...totals }: Float64LoopTotals, count: number): WideTotals =>
  wideTotals(totals, count, float64Of, float64Moments(rows));

/** The same of integers. */
export const intTotals = ({ moments, ...totals }: IntLoopTotals, count: number): WideTotals =>
  wideTotals(totals, count, integerOf, moments);
