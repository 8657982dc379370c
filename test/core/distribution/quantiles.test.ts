import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantilesOf } from '../../../src/core/distribution/quantiles.ts';
import { pointSpans, type Spans } from '../../../src/core/distribution/spans.ts';
import { referenceQuantile } from './support/reference.ts';

const FRACTIONS = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1];

const pointsOf = (sorted: readonly number[]): Spans => {
  const distinct = [...new Set(sorted)];
  const counts = distinct.map((value) => sorted.filter((other) => other === value).length);
  return pointSpans(Float64Array.from(distinct), Float64Array.from(counts));
};

const spansOf = (...spans: readonly (readonly [low: number, high: number, count: number])[]): Spans => ({
  low: Float64Array.from(spans, ([low]) => low),
  high: Float64Array.from(spans, ([, high]) => high),
  counts: Float64Array.from(spans, ([, , count]) => count),
  total: spans.reduce((sum, [, , count]) => sum + count, 0),
});

describe('over points', () => {
  test('as numpy.quantile, to the last bit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 200 }), (values) => {
        // + 0 makes one zero of −0 and 0.
        const sorted = values.map((value) => value / 8 + 0).sort((a, b) => a - b);
        const expected = FRACTIONS.map((fraction) => referenceQuantile(sorted, fraction));
        expect(quantilesOf(pointsOf(sorted), FRACTIONS)).toEqual(expected);
      }),
    );
  });

  // numpy 2.4.6: np.quantile(values, fractions).
  test.each([
    [
      [0.1, 0.2, 0.4, 0.7],
      [0.01, 0.25, 0.5, 0.95],
      [0.10300000000000001, 0.17500000000000002, 0.30000000000000004, 0.6549999999999998],
    ],
    [
      [-1.324, -1.233, -0.802, -0.785, -0.553, -0.248, 0.11, 0.273, 0.42, 0.749, 1.136, 1.635],
      [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99],
      [-1.31399, -1.2739500000000001, -0.78925, -0.06899999999999999, 0.50225, 1.3605499999999995, 1.5801100000000003],
    ],
  ])('what numpy gave for %j', (values, fractions, expected) => {
    expect(quantilesOf(pointsOf(values), fractions)).toEqual(expected);
  });

  test('the ends of the f64 range do not overflow', () => {
    expect(quantilesOf(pointsOf([-1.7e308, 1.7e308]), [0, 0.5, 1])).toEqual([-1.7e308, 0, 1.7e308]);
  });

  test('ranks beyond 2^32', () => {
    const points = pointSpans(Float64Array.of(1, 2, 3), Float64Array.of(2 ** 40, 1, 2 ** 40));
    expect(quantilesOf(points, [0.499, 0.5, 0.501])).toEqual([1, 2, 3]);
  });
});

describe('over spans', () => {
  test('no number of a span is farther than the bound from what stands for it', () => {
    for (const [low, high] of [
      [1, 1 + 127 / 128],
      [2 ** -126, 2 ** -126 * (1 + 2 ** -7)],
      [2 ** 1023, Number.MAX_VALUE],
      [-3, -2],
    ] as const) {
      const [value = 0] = quantilesOf(spansOf([low, high, 3]), [0.5]);
      const bound = Math.abs((high / low - 1) / (high / low + 1));
      expect(Math.abs(value - low) / Math.abs(low)).toBeLessThanOrEqual(bound * (1 + 1e-12));
      expect(Math.abs(value - high) / Math.abs(high)).toBeLessThanOrEqual(bound * (1 + 1e-12));
    }
  });

  test('of a span that begins or ends at zero, the middle', () => {
    expect(quantilesOf(spansOf([0, 8, 1]), [0.5])).toEqual([4]);
    expect(quantilesOf(spansOf([-8, -0, 1]), [0.5])).toEqual([-4]);
  });
});
