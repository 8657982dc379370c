import { describe, expect, it } from 'vitest';
import { median, robustScores } from '../../../src/core/audit/layer-outliers.ts';

describe('robust z-scores', () => {
  it('are distances from the median in deviations of the others', () => {
    const { centre, scores } = robustScores([1, 2, 3, 4, 5, 6, 100], 0);
    expect(centre).toBe(4);
    expect(scores[6]).toBeCloseTo(96 / (1.4826 * 2), 10);
    expect(scores[3]).toBe(0);
  });

  it('take numbers as near as the floor for equal', () => {
    expect(robustScores([1, 1, 1, 1, 1.05], 0.1).scores[4]).toBeCloseTo(0.5, 10);
  });

  it.each([
    [[3], 3],
    [[1, 2], 1.5],
    [[5, 1, 3], 3],
    [[], Number.NaN],
  ])('the median of %j is %d', (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });
});
