import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ratioToNumber, sqrtRatioToNumber } from '../../../src/core/distribution/exact-ratio.ts';
import { exactUnits, isNearestMean } from './support/reference.ts';

describe('ratioToNumber', () => {
  test.each([
    [0n, 7n, 0, 0],
    [1n, 3n, 0, 1 / 3],
    [-2n, 3n, 0, -2 / 3],
    [1n, 1n, -1074, 5e-324],
    [1n, 1n, 1023, 2 ** 1023],
    // Ties among subnormals go to the even one.
    [1n, 2n, -1074, 0],
    [3n, 2n, -1074, 2 * 5e-324],
    [5n, 2n, -1074, 2 * 5e-324],
    [3n, 4n, -1074, 5e-324],
    // Ties among normal numbers too, and what only just is none is none.
    [2n ** 53n + 1n, 1n, 0, 2 ** 53],
    [2n ** 53n + 3n, 1n, 0, 2 ** 53 + 4],
    [(2n ** 53n + 1n) * 10n ** 30n + 1n, 10n ** 30n, 0, 2 ** 53 + 2],
    // What only just is no tie among subnormals is none either.
    [2n ** 60n + 1n, 2n ** 61n, -1074, 5e-324],
    // 2^-1075 is no f64, what comes of scaling by it may be.
    [2n ** 60n, 3n, -1074, 2 ** -1014 / 3],
    [2n ** 60n, 3n, 960, 2 ** 1020 / 3],
    // The largest subnormal plus a half rounds to the smallest normal number.
    [2n ** 53n - 1n, 2n, -1074, 2 ** -1022],
  ])('%s / %s · 2^%i', (numerator, denominator, exponent, expected) => {
    expect(ratioToNumber(numerator, denominator, exponent)).toBe(expected);
  });

  test('is the nearest f64, whatever the sizes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 12 }),
        (values) => {
          const sum = values.reduce((total, value) => total + exactUnits(value), 0n);
          expect(isNearestMean(ratioToNumber(sum, BigInt(values.length), -1074), values)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('agrees with division where that is exact to begin with', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 31 }), (numerator, denominator) => {
        expect(ratioToNumber(BigInt(numerator), BigInt(denominator), 0)).toBe(numerator / denominator + 0);
      }),
    );
  });
});

describe('sqrtRatioToNumber', () => {
  test.each([
    [0n, 5n, 0, 0],
    [4n, 1n, 0, 2],
    [2n, 1n, 0, Math.SQRT2],
    [9n, 2n, 0, 1.5],
    [1n, 3n, 0, 1 / 3],
    [1n, 1n, -1074, 5e-324],
    [10n ** 600n, 10n ** 300n, 0, 1],
    [10n ** 200n, 1n, 0, 1e100],
  ])('√%s / %s · 2^%i', (square, denominator, exponent, expected) => {
    expect(sqrtRatioToNumber(square, denominator, exponent)).toBe(expected);
  });

  test('agrees with Math.sqrt, which is correctly rounded', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (square) => {
        expect(sqrtRatioToNumber(BigInt(square), 1n, 0)).toBe(Math.sqrt(square));
      }),
      { numRuns: 1000 },
    );
  });
});
