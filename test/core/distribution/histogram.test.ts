import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { histogramOf, MAX_BINS } from '../../../src/core/distribution/histogram.ts';
import { pointSpans, type Spans } from '../../../src/core/distribution/spans.ts';
import { referenceCounts } from './support/reference.ts';
import { codeOf } from './support/windows.ts';

const pointsOf = (values: readonly number[]): Spans => {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const counts = distinct.map((value) => values.filter((other) => other === value).length);
  return pointSpans(Float64Array.from(distinct), Float64Array.from(counts));
};

const sum = (counts: Float64Array): number => counts.reduce((total, count) => total + count, 0);

describe('over points', () => {
  // numpy 2.4.6: np.histogram(values, bins, range).
  test.each([
    [
      [0.1, 0.2, 0.3, 0.6, 0.7, 0.9, 1],
      [0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6, 0.7000000000000001, 0.8, 0.9, 1],
      [1, 2, 0, 0, 0, 2, 0, 0, 2],
    ],
    [
      [-0.802, -1.324, -0.248, 0.42, 1.136, 0.11, -0.553, -0.785, 0.749, 1.635, 0.273, -1.233],
      [-1.324, -0.7322000000000001, -0.14040000000000008, 0.4513999999999998, 1.0432, 1.635],
      [4, 2, 3, 1, 2],
    ],
    [
      [0.1, 0.2, 0.3, 0.7, 0.9, 1],
      [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
      [1, 1, 0, 0, 0, 1, 1],
    ],
  ])('what numpy gave for %j', (values, expectedEdges, expectedCounts) => {
    const [low = 0] = expectedEdges;
    const high = expectedEdges[expectedEdges.length - 1] ?? 0;
    const { edges, counts, below, above } = histogramOf(pointsOf(values), expectedCounts.length, low, high, true);
    expect([...edges]).toEqual(expectedEdges);
    expect([...counts]).toEqual(expectedCounts);
    expect(below).toBe(values.filter((value) => value < low).length);
    expect(above).toBe(values.filter((value) => value > high).length);
  });

  test('each number is where its edges say, every number is somewhere', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: -40, max: 40 }),
        fc.nat(50),
        (numbers, bins, from, width) => {
          const values = numbers.map((value) => value * 0.1);
          const { edges, counts, below, above, exact } = histogramOf(
            pointsOf(values),
            bins,
            from * 0.1,
            (from + width) * 0.1,
            true,
          );
          expect([...counts]).toEqual(referenceCounts(values, edges));
          expect(below).toBe(values.filter((value) => value < (edges[0] ?? 0)).length);
          expect(above).toBe(values.filter((value) => value > (edges[bins] ?? 0)).length);
          expect(exact).toBe(true);
        },
      ),
    );
  });

  test('a range of no width is widened by a half on either side', () => {
    const { edges, counts } = histogramOf(pointsOf([3, 3, 3]), 4, 3, 3, true);
    expect([...edges]).toEqual([2.5, 2.75, 3, 3.25, 3.5]);
    expect([...counts]).toEqual([0, 0, 3, 0]);
  });

  test('numbers too large to widen are still counted', () => {
    expect(sum(histogramOf(pointsOf([1e300, 1e300]), 5, 1e300, 1e300, true).counts)).toBe(2);
  });

  test('a range of subnormals has ascending edges', () => {
    // numpy 2.4.6: np.linspace(0, 5e-324, 4), np.linspace(-1e-322, 1.5e-322, 8)
    expect([...histogramOf(pointsOf([0]), 3, 0, 5e-324, true).edges]).toEqual([0, 0, 5e-324, 5e-324]);
    expect([...histogramOf(pointsOf([0]), 7, -1e-322, 1.5e-322, true).edges]).toEqual([
      -1e-322, -6.4e-323, -3e-323, 5e-324, 4e-323, 7.4e-323, 1.1e-322, 1.5e-322,
    ]);
  });

  test('a range wider than the largest f64 has finite ascending edges', () => {
    const far = 1.5 * 2 ** 1023;
    const { edges, counts } = histogramOf(pointsOf([-far, 0, far]), 4, -far, far, true);
    expect([...edges]).toEqual([-far, -far / 2, 0, far / 2, far]);
    expect([...counts]).toEqual([1, 0, 1, 1]);
  });
});

describe('over spans', () => {
  const spans: Spans = {
    low: Float64Array.of(0, 10, 20),
    high: Float64Array.of(0, 20, 40),
    counts: Float64Array.of(5, 100, 7),
    total: 112,
  };

  test('elements are spread evenly over their span, points are not spread', () => {
    const { counts, exact } = histogramOf(spans, 4, 0, 40, false);
    expect([...counts]).toEqual([5, 100, 4, 3]);
    expect(exact).toBe(false);
  });

  test('counts are whole and add up for any bins', () => {
    for (const bins of [1, 2, 3, 7, 128, 1000]) {
      const { counts, below, above } = histogramOf(spans, bins, 0, 40, false);
      expect(sum(counts)).toBe(112);
      expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
      expect([below, above]).toEqual([0, 0]);
    }
  });

  test('what lies outside the range is counted below and above', () => {
    const { counts, below, above } = histogramOf(spans, 3, 12, 18, false);
    expect([below, ...counts, above]).toEqual([25, 20, 20, 20, 27]);
  });
});

test.each([0, -1, 1.5, Number.NaN, MAX_BINS + 1])('%d bins are refused', (bins) => {
  expect(codeOf(() => histogramOf(pointsOf([1]), bins, 0, 1, true))).toBe('histogram-bins');
});

test.each([
  [1, 0],
  [Number.NaN, 1],
  [0, Number.POSITIVE_INFINITY],
])('[%d, %d] is no range', (low, high) => {
  expect(codeOf(() => histogramOf(pointsOf([1]), 3, low, high, true))).toBe('histogram-range');
});
