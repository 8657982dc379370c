import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableTotals } from '../../../src/core/tensor/table-totals.ts';
import { TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';
import type { Int } from '../../../src/shared/checkpoint-types.ts';

interface Row {
  readonly dtype: string;
  readonly count: Int | undefined;
  readonly bytes: number | undefined;
  readonly present: boolean;
}

const totalsOf = (rows: readonly Row[]) => {
  const builder = new TensorTableBuilder(['f']);
  for (const { dtype, count, bytes, present } of rows) {
    const end = bytes === undefined ? undefined : 8 + bytes;
    const begin = bytes === undefined ? undefined : 8;
    const id = builder.add({ name: 'x', dtype, shape: [], count, begin, end, layout: 'contiguous', file: 0 });
    if (!present) {
      builder.refuse(id, 'cut off', 'absent');
    }
  }
  return tableTotals(new TensorTable(builder.finish()));
};

describe('totals', () => {
  it('are by dtype, by falling bytes, then tensors', () => {
    const one = { present: true };
    expect(
      totalsOf([
        { dtype: 'BF16', count: 3, bytes: 6, ...one },
        { dtype: 'F32', count: 4, bytes: 16, ...one },
        { dtype: 'U8', count: 2, bytes: 2, ...one },
        { dtype: 'BF16', count: 1, bytes: 2, ...one },
        { dtype: 'I8', count: 1, bytes: 1, ...one },
        { dtype: 'I8', count: 1, bytes: 1, ...one },
      ]),
    ).toEqual({
      parameters: 12,
      dtypes: [
        { dtype: 'F32', tensors: 1, parameters: 4, bytes: 16 },
        { dtype: 'BF16', tensors: 2, parameters: 4, bytes: 8 },
        { dtype: 'I8', tensors: 2, parameters: 2, bytes: 2 },
        { dtype: 'U8', tensors: 1, parameters: 2, bytes: 2 },
      ],
    });
  });

  it('count no bytes that are not there, and no elements of an unusable shape', () => {
    expect(
      totalsOf([
        { dtype: 'F32', count: 4, bytes: 16, present: false },
        { dtype: 'F32', count: undefined, bytes: undefined, present: false },
        { dtype: '__proto__', count: 1, bytes: 4, present: true },
      ]),
    ).toEqual({
      parameters: 5,
      dtypes: [
        { dtype: '__proto__', tensors: 1, parameters: 1, bytes: 4 },
        { dtype: 'F32', tensors: 2, parameters: 4, bytes: 0 },
      ],
    });
  });

  it('of nothing are nothing', () => {
    expect(totalsOf([])).toEqual({ parameters: 0, dtypes: [] });
  });

  it('stay exact beyond 2^53', () => {
    const count = fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }));
    fc.assert(
      fc.property(fc.array(count, { maxLength: 10 }), (counts) => {
        const { parameters } = totalsOf(counts.map((one) => ({ dtype: 'U8', count: one, bytes: 0, present: true })));
        expect(BigInt(parameters)).toBe(counts.reduce<bigint>((sum, one) => sum + BigInt(one), 0n));
      }),
    );
  });
});
