import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fittingRows, PAGE_CHARACTERS } from '../../../src/node/service/fitting-rows.ts';

const reader =
  <T>(rows: readonly T[]) =>
  (from: number, most: number): readonly T[] =>
    rows.slice(from, from + most);

describe('a page of rows', () => {
  it('holds as many as were asked for, whatever there are', () => {
    const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `t${id}` }));
    fc.assert(
      fc.property(fc.nat(1200), fc.nat(1200), (start, count) => {
        expect(fittingRows(reader(rows), start, count)).toEqual(rows.slice(start, start + count));
      }),
    );
  });

  it('ends where its texts grow long, and reading on gives every row once', () => {
    const rows = Array.from({ length: 40 }, (_, id) => ({
      id,
      name: 'n'.repeat(id % 7 === 0 ? 1_500_000 : 10),
      list: [],
    }));
    const pages: number[] = [];
    const read: unknown[] = [];
    while (read.length < rows.length) {
      const page = fittingRows(reader(rows), read.length, 20);
      pages.push(page.length);
      read.push(...page);
    }
    expect(read).toEqual(rows);
    expect(pages.every((length) => length > 0)).toBe(true);
    expect(pages.length).toBeGreaterThan(2);
  });

  it('holds a row by itself however long it is', () => {
    const rows = [{ name: 'n'.repeat(PAGE_CHARACTERS + 1) }, { name: 'short' }];
    expect(fittingRows(reader(rows), 0, 10)).toHaveLength(1);
    expect(fittingRows(reader(rows), 1, 10)).toHaveLength(1);
    expect(fittingRows(reader(rows), 2, 10)).toEqual([]);
  });

  it('counts long lists too', () => {
    const rows = [{ shape: new Array(PAGE_CHARACTERS).fill(1) }, { shape: [1] }];
    expect(fittingRows(reader(rows), 0, 2)).toHaveLength(1);
  });
});
