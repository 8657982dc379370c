import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { Tensor } from '../../../src/core/tensor/tensor.ts';
import { TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';
import { findDeadLines, hashOfSource, hashOfTensor, locateNonFinite } from '../../../src/node/scan/one-tensor-work.ts';
import { TaskControl } from '../../../src/node/scan/task-control.ts';

/** A view of float32 numbers: element [i, j, …] is `numbers[first + i·strides[0] + j·strides[1] + …]`. */
const view = (numbers: readonly number[], shape: readonly number[], strides: readonly number[]): Tensor => {
  const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
  const count = shape.reduce((all, size) => all * size, 1);
  const builder = new TensorTableBuilder(['m']);
  const strided = { storageBegin: 0, storageEnd: bytes.length, firstElement: 0, strides };
  const row = { name: 'w', dtype: 'F32', shape, count, begin: 0, end: count * 4 } as const;
  const id = builder.add({ ...row, layout: 'strided', file: 0, strided });
  return new Tensor(new TensorTable(builder.finish()), id, memorySource(bytes, 'm'));
};

/** All elements in row-major order. */
const elements = async (tensor: Tensor): Promise<number[]> => [...(await tensor.toFloat32())];

describe('looking at one tensor again', () => {
  it('finds the first NaN and infinity of any view, repeated dimensions and all', async () => {
    const number = fc.oneof(
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      fc.float(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(number, { minLength: 60, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
        fc.array(fc.constantFrom(0, 1, 3, 9), { minLength: 3, maxLength: 3 }),
        async (numbers, shape, strides) => {
          const tensor = view(numbers, shape, strides);
          const values = await elements(tensor);
          const nan = values.findIndex(Number.isNaN);
          const infinity = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
          const wanted = { nan: nan >= 0, infinity: infinity >= 0 };
          expect(await locateNonFinite(tensor, wanted, new TaskControl())).toEqual({
            ...(nan < 0 ? {} : { nan }),
            ...(infinity < 0 ? {} : { infinity }),
          });
        },
      ),
    );
  });

  it('reads an element that is repeated a million million times once', async () => {
    const tensor = view([1, Number.NaN, 3], [1_000_000, 3, 1_000_000], [0, 1, 0]);
    const first = await locateNonFinite(tensor, { nan: true, infinity: false }, new TaskControl());
    expect(first).toEqual({ nan: 1_000_000 });
  });

  it('hashes and looks through elements in logical order', async () => {
    const numbers = [0, 1, 0, 2, 0, 3];
    const transposed = view(numbers, [2, 3], [1, 2]);
    const bytes = new Uint8Array(Float32Array.from(await elements(transposed)).buffer);
    expect(await hashOfTensor(transposed, new TaskControl())).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await findDeadLines(transposed, new TaskControl())).toEqual({
      rows: [0],
      rowCount: 1,
      columns: [],
      columnCount: 0,
    });
  });

  it('stops when cancelled', async () => {
    const control = new TaskControl();
    control.cancel();
    const tensor = view([1, 2], [2, 1], [1, 1]);
    const wanted = { nan: true, infinity: true };
    await expect(locateNonFinite(tensor, wanted, control)).rejects.toMatchObject({ code: 'cancelled' });
    await expect(hashOfTensor(tensor, control)).rejects.toMatchObject({ code: 'cancelled' });
    await expect(findDeadLines(view([1, 2, 3, 4], [2, 2], [2, 1]), control)).rejects.toMatchObject({
      code: 'cancelled',
    });
    await expect(hashOfSource(memorySource(new Uint8Array(5), 'm'), control)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
