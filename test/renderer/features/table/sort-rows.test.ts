import { describe, expect, it } from 'vitest';
import { compareForSort, sortRows } from '../../../../src/renderer/features/table/sort-rows.ts';
import { type TensorNumbers, toNumbers } from '../../../../src/renderer/state/tensor-numbers.ts';
import { emptyStats } from '../../../support/empty-stats.ts';
import { makeRow, makeRows } from '../../tensor-row-maker.ts';

const numbers = (min: TensorNumbers['min']): TensorNumbers => ({
  ...toNumbers(emptyStats('', 'F32')),
  count: 1,
  min,
  max: min,
});

describe('compareForSort', () => {
  it.each([false, true])('puts undefined and NaN last, descending: %s', (desc) => {
    const values = [Number.NaN, 3, undefined, -1, Number.NaN, 2];
    const sorted = [...values].sort((a, b) => compareForSort(a, b, desc));
    expect(sorted.slice(0, 3)).toEqual(desc ? [3, 2, -1] : [-1, 2, 3]);
    expect(sorted.slice(3).every((value) => value === undefined || Number.isNaN(value))).toBe(true);
  });

  it('compares integers beyond 2^53 exactly, also with plain numbers', () => {
    expect(compareForSort(9_007_199_254_740_993n, 9_007_199_254_740_992n, false)).toBe(1);
    expect(compareForSort(5, 9_223_372_036_854_775_807n, false)).toBe(-1);
  });
});

describe('sortRows', () => {
  it('gives file order without levels', () => {
    expect([...sortRows(makeRows('b', 'a'), new Map(), [])]).toEqual([0, 1]);
  });

  it('sorts by name in natural order, ties in file order', () => {
    const rows = makeRows('l.10', 'l.2', 'l.2', 'l.1');
    expect([...sortRows(rows, new Map(), [{ id: 'name', desc: false }])]).toEqual([3, 1, 2, 0]);
  });

  it('sorts by several levels', () => {
    const rows = [
      makeRow(0, 'a', { dtype: 'F32', bytes: 1 }),
      makeRow(1, 'b', { dtype: 'BF16', bytes: 1 }),
      makeRow(2, 'c', { dtype: 'BF16', bytes: 9 }),
    ];
    const order = sortRows(rows, new Map(), [
      { id: 'dtype', desc: false },
      { id: 'bytes', desc: true },
    ]);
    expect([...order]).toEqual([2, 1, 0]);
  });

  it('keeps unscanned tensors last in both directions', () => {
    const rows = makeRows('a', 'b', 'c');
    const known = new Map([
      [0, numbers(1)],
      [2, numbers(-1)],
    ]);
    expect([...sortRows(rows, known, [{ id: 'min', desc: false }])]).toEqual([2, 0, 1]);
    expect([...sortRows(rows, known, [{ id: 'min', desc: true }])]).toEqual([0, 2, 1]);
  });

  it('sorts shapes by rank, then by their sizes as numbers', () => {
    const rows = [
      makeRow(0, 'a', { shape: [10, 2] }),
      makeRow(1, 'b', { shape: [9, 2] }),
      makeRow(2, 'c', { shape: [] }),
    ];
    expect([...sortRows(rows, new Map(), [{ id: 'shape', desc: false }])]).toEqual([2, 1, 0]);
  });

  it('sorts 150,000 names in without growing out of hand', () => {
    const rows = Array.from({ length: 150_000 }, (_, id) =>
      makeRow(id, `model.layers.${(id * 7919) % 150_000}.weight`),
    );
    const started = performance.now();
    const order = sortRows(rows, new Map(), [{ id: 'name', desc: false }]);
    expect(rows[order[0] ?? -1]?.name).toBe('model.layers.0.weight');
    expect(rows[order[149_999] ?? -1]?.name).toBe('model.layers.149999.weight');
    expect(performance.now() - started).toBeLessThan(12_000);
  });
});
