import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { tensorDistribution } from '../../../src/core/distribution/tensor-distribution.ts';
import { Tensor } from '../../../src/core/tensor/tensor.ts';
import { TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';

const view = (
  dtype: string,
  shape: readonly number[],
  strides: readonly number[],
  storage: Uint8Array,
  size: number,
): Tensor => {
  const builder = new TensorTableBuilder(['f']);
  const count = shape.reduce((product, length) => product * length, 1);
  const strided = { storageBegin: 0, storageEnd: storage.length, firstElement: 0, strides };
  builder.add({ name: 'v', dtype, shape, count, begin: 0, end: count * size, layout: 'strided', file: 0, strided });
  return new Tensor(new TensorTable(builder.finish()), 0, memorySource(storage));
};

describe('tensorDistribution', () => {
  it('of a transposed view is that of its storage', async () => {
    const storage = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);
    const plain = newDistribution('F32');
    plain.add(storage);
    expect((await tensorDistribution(view('F32', [3, 2], [1, 3], storage, 4))).summarise('v')).toEqual(
      plain.summarise('v'),
    );
  });

  it('counts a view’s own elements, not its storage', async () => {
    const storage = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);
    expect((await tensorDistribution(view('F32', [3], [2], storage, 4))).summarise('v')).toMatchObject({
      count: 3,
      min: 1,
      max: 5,
      mean: 3,
    });
  });

  it.each([
    ['BF16', Uint8Array.of(0x80, 0x3f, 0x00, 0x40), 2],
    ['F32', new Uint8Array(Float32Array.of(1, 2).buffer), 4],
    ['I64', new Uint8Array(BigInt64Array.of(1n, 2n).buffer), 8],
  ])('an expanded %s tensor is read once and counted as often as it repeats', async (dtype, storage, size) => {
    const read: number[] = [];
    const distribution = await tensorDistribution(view(dtype, [1000, 2, 999_999], [0, 1, 0], storage, size), {
      onBytes: (bytes) => read.push(bytes),
    });
    expect(distribution.summarise('v', 2)).toMatchObject({
      count: 2 * 999_999_000,
      min: 1,
      max: 2,
      mean: 1.5,
      std: 0.5,
    });
    expect(read).toEqual([2 * size * 999_999_000]);
  });
});
