import { describe, expect, it } from 'vitest';
import { layerRoles } from '../../src/shared/layer-roles.ts';
import { layerSeries, type SeriesPoint } from '../../src/shared/layer-series.ts';

const series = (names: readonly string[], values: readonly (number | undefined)[]): readonly SeriesPoint[] => {
  const [role] = layerRoles(names.length, (id) => names[id] ?? '');
  return role === undefined ? [] : layerSeries(role, (id) => values[id]);
};

describe('one statistic over the layers', () => {
  it('has a point a layer, in their order', () => {
    expect(series(['h.1.w', 'h.0.w', 'h.3.w'], [2, 1, 4])).toEqual([
      { index: 0, id: 1, value: 1, low: 1, high: 1, tensors: 1 },
      { index: 1, id: 0, value: 2, low: 2, high: 2, tensors: 1 },
      { index: 3, id: 2, value: 4, low: 4, high: 4, tensors: 1 },
    ]);
  });

  it('leaves out layers whose value is unknown or no number', () => {
    const values = [1, undefined, Number.NaN, Number.POSITIVE_INFINITY, 0];
    expect(series(['h.0.w', 'h.1.w', 'h.2.w', 'h.3.w', 'h.4.w'], values).map(({ index }) => index)).toEqual([0, 4]);
  });

  it('of several tensors in a layer takes the middle one, a real one', () => {
    const names = [0, 1].flatMap((layer) => [0, 1, 2, 3].map((expert) => `l.${layer}.experts.${expert}.w`));
    expect(series(names, [5, 1, 9, 3, 2, undefined, 2, 2])).toEqual([
      { index: 0, id: 3, value: 3, low: 1, high: 9, tensors: 4 },
      { index: 1, id: 6, value: 2, low: 2, high: 2, tensors: 3 },
    ]);
  });
});
