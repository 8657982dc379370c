import { expect, test } from 'vitest';
import { pointMoments } from '../../../src/core/distribution/point-moments.ts';
import { pointSpans } from '../../../src/core/distribution/spans.ts';

/** Σ count·value and Σ count·value² in units of 2^-149 and 2^-298, for values that are multiples of 2^-40. */
const expected = (values: readonly number[], counts: readonly number[]) => {
  const units = values.map((value) => BigInt(value * 2 ** 40) << 109n);
  return {
    sum: units.reduce((sum, unit, index) => sum + unit * BigInt(counts[index] ?? 0), 0n),
    sumSquares: units.reduce((sum, unit, index) => sum + unit * unit * BigInt(counts[index] ?? 0), 0n),
  };
};

// Sixteen significant bits is as many as a value may have.
const VALUES = [-65535, -255.99609375, -1, 2 ** -24, 0.1 - (0.1 % 2 ** -18), 1, 32769, 65504];

test.each([
  ['few elements', VALUES.map((_, index) => index + 1)],
  ['as many as one pass takes', VALUES.map(() => 2 ** 33)],
  ['more than one pass takes', VALUES.map((_, index) => 2 ** 40 + index)],
  ['counts up to the end of exact integers', VALUES.map((_, index) => 2 ** 49 - 1 - index * 12345)],
])('%s', (_, counts) => {
  const spans = pointSpans(Float64Array.from(VALUES), Float64Array.from(counts));
  expect(pointMoments(spans)).toEqual(expected(VALUES, counts));
});

test('nothing', () => {
  expect(pointMoments(pointSpans(new Float64Array(), new Float64Array()))).toEqual({ sum: 0n, sumSquares: 0n });
});
