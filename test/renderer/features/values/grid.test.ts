import { describe, expect, it } from 'vitest';
import { parsePlace } from '../../../../src/renderer/features/values/go-to.tsx';
import {
  holdsElement,
  layOutGrid,
  locateCell,
  pageSlice,
} from '../../../../src/renderer/features/values/grid-layout.ts';
import { nextCell } from '../../../../src/renderer/features/values/next-cell.ts';
import { sliceText } from '../../../../src/renderer/features/values/slice-text.ts';
import {
  clampReal,
  PIXEL_LIMIT,
  revealItem,
  scrolledLength,
  toReal,
  toScrolled,
  visibleItems,
} from '../../../../src/renderer/widgets/scroll-axis.ts';

describe('sliceText', () => {
  it('writes indices, then spans', () => {
    expect(
      sliceText(
        [0],
        [
          { start: 10, stop: 60 },
          { start: 0, stop: 20 },
        ],
      ),
    ).toBe('0,10:60,0:20');
    expect(sliceText([], [{ start: 0, stop: 5 }])).toBe('0:5');
  });
});

describe('grid layout', () => {
  it('lays out scalars, vectors and matrices', () => {
    expect(layOutGrid([], 3)).toMatchObject({ kind: 'scalar', rows: 1, columns: 1 });
    expect(layOutGrid([100], 3)).toMatchObject({ kind: 'wrapped', rows: 50, columns: 2 });
    expect(layOutGrid([100], 0)).toMatchObject({ rows: 100, columns: 1 });
    expect(layOutGrid([3], 9)).toMatchObject({ rows: 1, columns: 3 });
    expect(layOutGrid([2, 3, 40, 50], 3)).toMatchObject({ kind: 'matrix', rows: 40, columns: 50, leading: [2, 3] });
  });

  it('slices pages within the tensor', () => {
    expect(pageSlice(layOutGrid([], 3), [], { row: 0, column: 0 })).toBeUndefined();
    expect(pageSlice(layOutGrid([100], 2), [], { row: 1, column: 0 })).toBe('64:100');
    expect(pageSlice(layOutGrid([2, 40, 50], 2), [1], { row: 1, column: 3 })).toBe('1,32:40,48:50');
  });

  it('finds a cell in its page', () => {
    expect(locateCell(layOutGrid([2, 40, 50], 2), 33, 49)).toEqual({ page: { row: 1, column: 3 }, at: 1 * 2 + 1 });
    expect(locateCell(layOutGrid([100], 2), 40, 1)).toEqual({ page: { row: 1, column: 0 }, at: 17 });
  });

  it('knows the end of a wrapped row', () => {
    const layout = layOutGrid([5], 2);
    expect(holdsElement(layout, 2, 0)).toBe(true);
    expect(holdsElement(layout, 2, 1)).toBe(false);
  });

  it('moves by key and stays on elements', () => {
    const layout = layOutGrid([5], 2);
    const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false, altKey: false });
    expect(nextCell(key('End', true), { row: 0, column: 0 }, layout, 3)).toEqual({ row: 2, column: 0 });
    expect(nextCell(key('ArrowDown'), { row: 1, column: 1 }, layout, 3)).toEqual({ row: 2, column: 0 });
    expect(nextCell(key('PageUp'), { row: 2, column: 0 }, layout, 3)).toEqual({ row: 0, column: 0 });
    expect(nextCell(key('x'), { row: 2, column: 0 }, layout, 3)).toBeUndefined();
  });

  it('reads places', () => {
    expect(parsePlace('[12, 7]', layOutGrid([40, 50], 2))).toEqual({ row: 12, column: 7 });
    expect(parsePlace('12', layOutGrid([40, 50], 2))).toEqual({ row: 12, column: 0 });
    expect(parsePlace('40', layOutGrid([40, 50], 2))).toBeUndefined();
    expect(parsePlace('5', layOutGrid([100], 2))).toEqual({ row: 2, column: 1 });
    expect(parsePlace('-1', layOutGrid([100], 2))).toBeUndefined();
    expect(parsePlace('', layOutGrid([100], 2))).toBeUndefined();
  });
});

describe('scroll axis', () => {
  const long = { count: 5_000_000, size: 22, view: 400 };

  it('never makes an element longer than the limit', () => {
    expect(scrolledLength(long)).toBe(PIXEL_LIMIT);
    expect(scrolledLength({ count: 10, size: 22, view: 400 })).toBe(220);
  });

  it('reaches the last item, and comes back to the same place', () => {
    const end = toReal(long, PIXEL_LIMIT - long.view);
    expect(visibleItems(long, end).end).toBe(5_000_000);
    expect(toScrolled(long, end)).toBeCloseTo(PIXEL_LIMIT - long.view, 3);
    expect(toReal(long, toScrolled(long, 1_234_567))).toBeCloseTo(1_234_567, 3);
  });

  it('moves no further than needed', () => {
    const axis = { count: 100, size: 10, view: 50 };
    expect(revealItem(axis, 0, 3)).toBe(0);
    expect(revealItem(axis, 0, 5)).toBe(10);
    expect(revealItem(axis, 200, 5)).toBe(50);
    expect(revealItem(axis, 0, 99)).toBe(950);
    expect(clampReal(axis, 5000)).toBe(950);
  });
});
