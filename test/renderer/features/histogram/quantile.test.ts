import { describe, expect, it, vi } from 'vitest';
import { layOutBars } from '../../../../src/renderer/features/histogram/chart-geometry.ts';
import { type AskHistogram, findTailRange, quantileBin } from '../../../../src/renderer/features/histogram/quantile.ts';

/** An exact histogram of given values. */
const histogramOf = (values: readonly number[], bins: number, low: number, high: number) => {
  const counts = new Float64Array(bins);
  for (const value of values) {
    if (value >= low && value <= high) {
      const bin = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  return {
    edges: Float64Array.from({ length: bins + 1 }, (_, bin) => low + ((high - low) * bin) / bins),
    counts,
    below: values.filter((value) => value < low).length,
    above: values.filter((value) => value > high).length,
    exact: true,
  };
};

describe('quantiles from histograms', () => {
  const values = [-1000, ...Array.from({ length: 10_000 }, (_, at) => at / 10_000), 5000];

  it('finds the bin a share falls into', () => {
    const bin = quantileBin(histogramOf([0, 1, 2, 3], 4, 0, 4), 4, 0.5);
    expect(bin).toMatchObject({ low: 1, high: 2 });
  });

  it('cuts outliers off, however far away', async () => {
    const ask: AskHistogram = vi.fn(async (bins, range) =>
      histogramOf(values, bins, range?.low ?? -1000, range?.high ?? 5000),
    );
    const range = await findTailRange(ask, values.length, 0.001);
    expect(range?.low).toBeCloseTo(0.0009, 3);
    expect(range?.high).toBeCloseTo(0.999, 3);
    expect(ask).toHaveBeenCalledTimes(3);
  });
});

describe('layOutBars', () => {
  const histogram = { edges: Float64Array.of(0, 1, 2), counts: Float64Array.of(3, 4) };

  it('gives non-finite kinds bars of their own at the edges', () => {
    const { bars, from, to } = layOutBars(histogram, { negInf: 1, posInf: 2, nan: 5 }, 300);
    expect(bars.map(({ kind, count }) => [kind, count])).toEqual([
      ['negInf', 1],
      ['bin', 3],
      ['bin', 4],
      ['posInf', 2],
      ['nan', 5],
    ]);
    expect(bars.every((bar, at) => at === 0 || bar.from >= (bars[at - 1]?.to ?? 0))).toBe(true);
    expect(from).toBeLessThan(0);
    expect(to).toBeGreaterThan(2);
  });

  it('leaves empty kinds out', () => {
    expect(layOutBars(histogram, { negInf: 0, posInf: 0, nan: 0 }, 300).bars).toHaveLength(2);
  });
});
