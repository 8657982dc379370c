import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TensorLookupError } from '../../../src/core/errors.ts';
import { oneRow, TensorTable, tableBuffers } from '../../../src/core/tensor/tensor-table.ts';
import { type NewRow, TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';
import type { Int } from '../../../src/shared/checkpoint-types.ts';

const FILES = ['one', 'two'];

const int: fc.Arbitrary<Int> = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
);
const offset = fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), { nil: undefined });

const newRow: fc.Arbitrary<NewRow> = fc
  .record({
    name: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constantFrom('__proto__', '', 'a', '10')),
    dtype: fc.oneof(fc.constantFrom('F32', 'BF16', '__proto__'), fc.string({ maxLength: 5 })),
    shape: fc.array(int, { maxLength: 5 }),
    count: fc.option(int, { nil: undefined }),
    begin: offset,
    length: fc.nat(),
    layout: fc.constantFrom('contiguous' as const, 'strided' as const, 'blocks' as const, 'absent' as const),
    file: fc.nat({ max: 1 }),
  })
  .map(({ length, ...row }) => ({ ...row, end: row.begin === undefined ? undefined : row.begin + length }));

const built = (rows: readonly NewRow[]): { readonly builder: TensorTableBuilder; readonly table: TensorTable } => {
  const builder = new TensorTableBuilder(FILES);
  rows.forEach((row, index) => {
    expect(builder.add(row)).toBe(index);
  });
  return { builder, table: new TensorTable(builder.finish()) };
};

const NAMED: NewRow = {
  name: 'a',
  dtype: 'F32',
  shape: [2],
  count: 2,
  begin: 8,
  end: 16,
  layout: 'contiguous',
  file: 0,
};

describe('rows', () => {
  it('come back as they were put in, whatever their names, shapes and counts', () => {
    fc.assert(
      fc.property(fc.array(newRow, { maxLength: 20 }), (rows) => {
        const { builder, table } = built(rows);
        expect(table.length).toBe(rows.length);
        rows.forEach((row, id) => {
          expect(builder.name(id)).toBe(row.name);
          expect(table.row(id)).toEqual({
            id,
            name: row.name,
            dtype: row.dtype,
            shape: row.shape,
            parameters: row.count,
            bytes: row.begin === undefined || row.end === undefined ? undefined : row.end - row.begin,
            file: FILES[row.file],
            offset: row.begin,
            layout: row.layout,
            readable: true,
          });
        });
        expect(table.rows()).toEqual(rows.map((_, id) => table.row(id)));
      }),
    );
  });

  it('survive a structured clone and a transfer of every buffer', () => {
    const { table } = built([NAMED, { ...NAMED, name: '😀', shape: [2n ** 60n], count: 2n ** 60n }]);
    const before = table.rows();
    const data = structuredClone(table.data, { transfer: tableBuffers(table.data) });
    expect(new TensorTable(data).rows()).toEqual(before);
    expect(table.data.names.byteLength).toBe(0);
  });

  it('are cut into pages that end with the table', () => {
    const { table } = built([NAMED, NAMED, NAMED]);
    expect(table.rows(1, 1).map(({ id }) => id)).toEqual([1]);
    expect(table.rows(2, 100).map(({ id }) => id)).toEqual([2]);
    expect(table.rows(3, 100)).toEqual([]);
    expect(table.rows(50)).toEqual([]);
  });

  it.each([-1, 2, 0.5, Number.NaN, 2 ** 53])('with id %s do not exist', (id) => {
    const { table } = built([NAMED, NAMED]);
    expect(() => table.row(id)).toThrow(TensorLookupError);
  });
});

describe('refusing', () => {
  it('keeps the first reason, and takes the bytes away when they are not there', () => {
    const { builder } = built([NAMED, NAMED, NAMED]);
    builder.refuse(0, 'first', 'present');
    builder.refuse(0, 'second', 'absent');
    builder.refuse(1, 'odd', 'present');
    const table = new TensorTable(builder.finish());
    expect(table.row(0)).toMatchObject({ readable: false, problem: 'first' });
    expect(table.isPresent(0)).toBe(false);
    expect(table.row(1)).toMatchObject({ readable: false, problem: 'odd' });
    expect(table.isPresent(1)).toBe(true);
    expect(table.row(2).readable).toBe(true);
    expect([0, 1, 2].map((id) => builder.isRefused(id))).toEqual([true, true, false]);
  });
});

describe('names', () => {
  it('are looked up exactly', () => {
    const names = ['a', 'A', 'a ', '__proto__', 'constructor', '', '\u00e9', 'e\u0301'];
    const { table } = built(names.map((name) => ({ ...NAMED, name })));
    expect(names.map((name) => table.idOf(name))).toEqual(names.map((_, id) => id));
    expect(table.idsOf('toString')).toEqual([]);
    expect(() => table.idOf('b')).toThrow(expect.objectContaining({ code: 'no-such-tensor' }));
  });

  it('that occur more than once must be named by id', () => {
    const { table } = built([NAMED, { ...NAMED, name: 'b' }, NAMED]);
    expect(table.idsOf('a')).toEqual([0, 2]);
    expect(() => table.idOf('a')).toThrow(expect.objectContaining({ code: 'ambiguous-name' }));
    expect(() => table.idOf('a')).toThrow('name one by id (0, 2)');
  });
});

describe('a table of one row', () => {
  it('holds that row alone', () => {
    fc.assert(
      fc.property(fc.array(newRow, { minLength: 1, maxLength: 10 }), fc.nat(), (rows, pick) => {
        const { builder, table } = built(rows);
        const id = pick % rows.length;
        builder.refuse(id, 'odd', 'absent');
        for (const whole of [table, new TensorTable(builder.finish())]) {
          const one = new TensorTable(oneRow(whole, id));
          expect(one.length).toBe(1);
          expect(one.row(0)).toEqual({ ...whole.row(id), id: 0 });
          expect(one.isPresent(0)).toBe(whole.isPresent(id));
          expect(one.range(0)).toEqual(whole.range(id));
        }
      }),
    );
  });
});
