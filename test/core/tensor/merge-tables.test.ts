import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTables } from '../../../src/core/tensor/merge-tables.ts';
import { oneRow, TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { type NewRow, TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';

const dimension = fc.oneof(fc.nat(1000), fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }));
const row: fc.Arbitrary<NewRow & { readonly reason: string | undefined }> = fc.record({
  file: fc.nat(1),
  name: fc.string({ unit: 'grapheme', maxLength: 8 }),
  dtype: fc.constantFrom('F32', 'BF16', 'weird'),
  shape: fc.array(dimension, { maxLength: 4 }),
  count: fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 60n }), fc.constant(undefined)),
  begin: fc.option(fc.nat(), { nil: undefined }),
  end: fc.option(fc.nat(), { nil: undefined }),
  layout: fc.constantFrom('contiguous', 'absent'),
  reason: fc.option(fc.string(), { nil: undefined }),
});

/** A table of two files, of which the second lies inside the first. */
const build = (file: string, rows: readonly (NewRow & { readonly reason: string | undefined })[]) => {
  const builder = new TensorTableBuilder([file, file]);
  for (const { reason, ...one } of rows) {
    const id = builder.add(one);
    if (reason !== undefined) {
      builder.refuse(id, reason, 'absent');
    }
  }
  return { ...builder.finish(), inside: new Set([1]) };
};

describe('mergeTables', () => {
  it('gives every row of every table, in order, unchanged but for its id', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 5 }), (parts) => {
        const tables = parts.map((rows, index) => build(`file-${index}`, rows));
        const { table, firstIds } = mergeTables(tables);
        const merged = new TensorTable(table);
        const expected = tables.flatMap((one, part) =>
          new TensorTable(one).rows().map((own) => ({ ...own, id: own.id + (firstIds[part] ?? 0) })),
        );
        expect(merged.rows()).toEqual(expected);
        const inside = parts.flat().filter(({ file }) => file === 1).length;
        expect(expected.filter(({ offset }) => offset === undefined).length).toBeGreaterThanOrEqual(inside);
        expect(Array.from(table.present)).toEqual(tables.flatMap(({ present }) => Array.from(present)));
        // A single row taken out again is the same row.
        expected.forEach((own, id) => {
          expect(new TensorTable(oneRow(merged, id)).row(0)).toEqual({ ...own, id: 0 });
        });
      }),
    );
  });
});
