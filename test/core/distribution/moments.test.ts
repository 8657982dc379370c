import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMoments,
  type Moments,
  meanAndStd,
  NO_MOMENTS,
  shiftMoments,
} from '../../../src/core/distribution/moments.ts';
import { isNearestMean, isStd } from './support/reference.ts';

const momentsOf = (values: readonly bigint[]): Moments =>
  values.reduce<Moments>((sums, value) => addMoments(sums, { sum: value, sumSquares: value * value }), NO_MOMENTS);

const integers = fc.array(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), { minLength: 1, maxLength: 20 });

describe('moments', () => {
  test('give mean and population standard deviation', () => {
    fc.assert(
      fc.property(integers, (values) => {
        const { mean, std } = meanAndStd(values.length, momentsOf(values), 0);
        expect(isNearestMean(mean, values)).toBe(true);
        expect(isStd(std, values)).toBe(true);
      }),
    );
  });

  test('2, 4, 4, 4, 5, 5, 7, 9: mean 5, standard deviation 2, in any unit', () => {
    const sums = momentsOf([2n, 4n, 4n, 4n, 5n, 5n, 7n, 9n]);
    expect(meanAndStd(8, sums, 0)).toEqual({ mean: 5, std: 2 });
    expect(meanAndStd(8, sums, -149)).toEqual({ mean: 5 * 2 ** -149, std: 2 ** -148 });
  });

  test('shift as if every element had been larger', () => {
    fc.assert(
      fc.property(integers, fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), (values, offset) => {
        expect(shiftMoments(momentsOf(values), values.length, offset)).toEqual(
          momentsOf(values.map((value) => value + offset)),
        );
      }),
    );
  });
});
