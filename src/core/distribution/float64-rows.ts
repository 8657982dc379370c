import { addMoments, type Moments, NO_MOMENTS } from './moments.ts';

/** Exact sums over float64 that share sign and exponent. */
export interface Float64Row {
  /** The upper 12 bits of the patterns. */
  readonly row: number;
  readonly count: number;
  /** Of the mantissas without their implicit bit, and of the squares of these. */
  readonly mantissas: bigint;
  readonly squares: bigint;
}

const IMPLICIT = 1n << 52n;

const rowMoments = ({ row, count, mantissas, squares }: Float64Row): Moments => {
  const exponent = row & 0x7ff;
  const implicit = exponent === 0 ? 0n : IMPLICIT;
  const shift = BigInt(Math.max(exponent, 1) - 1);
  const sum = mantissas + BigInt(count) * implicit;
  return {
    sum: (row >= 0x800 ? -sum : sum) << shift,
    sumSquares: (squares + 2n * implicit * mantissas + BigInt(count) * implicit * implicit) << (2n * shift),
  };
};

/** The sums over all rows, in units of 2^-1074 and 2^-2148. */
export const float64Moments = (rows: readonly Float64Row[]): Moments =>
  rows.map(rowMoments).reduce(addMoments, NO_MOMENTS);
