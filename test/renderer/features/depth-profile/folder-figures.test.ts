import { describe, expect, it } from 'vitest';
import { MergedDistribution } from '../../../../src/core/distribution/merged-distribution.ts';
import { newDistribution } from '../../../../src/core/distribution/new-distribution.ts';
import { figuresText, mergeNumbers } from '../../../../src/renderer/features/depth-profile/folder-figures.ts';
import { toNumbers } from '../../../../src/renderer/state/tensor-numbers.ts';
import { encoderOf, seededNumbers } from '../../../support/encode-numbers.ts';

const scanned = (dtype: string, numbers: readonly number[]) => {
  const distribution = newDistribution(dtype);
  distribution.add(encoderOf(dtype)(numbers));
  return { numbers: toNumbers(distribution.summarise('w')), data: distribution.toData() };
};

describe('figures of a folder in the window', () => {
  it('are those of all its floats, within 1e-12 of the exact ones', () => {
    const { normal } = seededNumbers(3);
    const list = (length: number, mean: number, std: number): number[] =>
      Array.from({ length }, () => normal(mean, std));
    const parts = [
      scanned('F32', [...list(500, 0, 0.02), Number.NaN, Number.POSITIVE_INFINITY]),
      scanned('BF16', list(2000, 1, 0.1)),
      scanned('F64', list(50, -3, 2)),
    ];
    const exact = new MergedDistribution();
    for (const { data } of parts) {
      exact.add(data);
    }
    const { min, max, mean, std, count, nan, zeros } = exact.summarise('x') ?? expect.fail();
    const merged = mergeNumbers(parts.map(({ numbers }) => numbers)) ?? expect.fail();
    expect(merged).toMatchObject({ tensors: 3, count, nan, infinite: 1, zeros, min, max });
    expect(Math.abs(merged.mean - (mean ?? 0))).toBeLessThan(1e-12 * (std ?? 0));
    expect(Math.abs(merged.std - (std ?? 0))).toBeLessThan(1e-12 * (std ?? 0));
  });

  it('leave out integers, and say nothing of no numbers', () => {
    const counter = scanned('I64', [53_320]).numbers;
    const weight = scanned('F32', [1, 2]).numbers;
    expect(mergeNumbers([counter, weight])).toMatchObject({ tensors: 1, max: 2 });
    expect(mergeNumbers([counter])).toBeUndefined();
    expect(mergeNumbers([scanned('F32', [Number.NaN]).numbers])).toBeUndefined();
    expect(mergeNumbers([])).toBeUndefined();
    const figures = mergeNumbers([weight]) ?? expect.fail();
    expect(figuresText(figures)).toBe('1 float tensor: min 1, max 2, mean 1.5, std 0.5\nzeros 0, NaN 0, ±Inf 0');
  });
});
