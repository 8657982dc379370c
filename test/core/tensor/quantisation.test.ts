import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { tensorDistribution } from '../../../src/core/distribution/tensor-distribution.ts';
import type { Quantisation } from '../../../src/core/tensor/quantisation.ts';
import { rowMajorStrides } from '../../../src/core/tensor/strided-layout.ts';
import { Tensor } from '../../../src/core/tensor/tensor.ts';
import { TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';

const { fround } = Math;

/** A tensor of these bytes as unsigned 8-bit integers, of any strides. */
const tensorOf = (
  bytes: Uint8Array,
  shape: readonly number[],
  strides: readonly number[],
  quantised: Quantisation,
): Tensor => {
  const table = new TensorTableBuilder(['f']);
  const count = shape.reduce((product, size) => product * size, 1);
  table.add({
    name: 'q',
    dtype: quantised.dtype,
    shape,
    count,
    begin: 0,
    end: count,
    layout: 'strided',
    file: 0,
    strided: { storageBegin: 0, storageEnd: bytes.length, firstElement: 0, strides, quantised },
  });
  return new Tensor(new TensorTable(table.finish()), 0, memorySource(bytes));
};

const channelsOf = (scheme: Quantisation['scheme'], axis: number, count: number): Quantisation => ({
  dtype: 'QU8',
  scheme,
  axis,
  scales: Float64Array.from({ length: count }, (_, index) => 0.1 + index),
  zeroPoints: Float64Array.from({ length: count }, (_, index) => index * 3),
});

/** Indices of all elements in row-major order. */
const indices = (shape: readonly number[]): number[][] =>
  shape.reduce<number[][]>(
    (all, size) => all.flatMap((one) => Array.from({ length: size }, (_, k) => [...one, k])),
    [[]],
  );

describe('values of quantised tensors', () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });

  it('take scale and zero point of their own channel, whatever the slice, range and strides', async () => {
    const cases = fc.tuple(
      shapes,
      fc.nat(2),
      fc.boolean(),
      fc.nat(100),
      fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([shape, pick, transposed, seed, steps]) => {
        const axis = pick % shape.length;
        const count = shape.reduce((product, size) => product * size, 1);
        const bytes = Uint8Array.from({ length: count }, (_, index) => (index * 37 + seed) % 256);
        const strides = transposed ? rowMajorStrides([...shape].reverse()).reverse() : rowMajorStrides(shape);
        const quantised = channelsOf('channels', axis, shape[axis] ?? 1);
        const tensor = tensorOf(bytes, shape, strides, quantised);
        const value = (index: readonly number[]): number => {
          const place = index.reduce((sum, k, dimension) => sum + k * (strides[dimension] ?? 0), 0);
          const channel = index[axis] ?? 0;
          return fround(((bytes[place] ?? 0) - channel * 3) * (0.1 + channel));
        };
        const whole = indices(shape).map(value);
        expect(await tensor.exactValues()).toEqual(whole);
        expect((await tensor.rows(0, shape[0] ?? 1)).values).toEqual(Float32Array.from(whole));
        const start = seed % count;
        expect(await tensor.exactValues({ range: { start, count: count - start } })).toEqual(whole.slice(start));
        const slice = shape.map((_, k) => ({ step: steps[k] === 0 ? 1 : (steps[k] ?? 1) }));
        const picked = shape.map((size, k) => {
          const step = slice[k]?.step ?? 1;
          const all = Array.from({ length: size }, (_, index) => index);
          return (step < 0 ? all.reverse() : all).filter((_, index) => index % Math.abs(step) === 0);
        });
        const expected = indices(picked.map(({ length }) => length)).map((at) =>
          value(at.map((k, d) => picked[d]?.[k] ?? 0)),
        );
        expect(await tensor.exactValues({ slice })).toEqual(expected);
        expect(await tensor.exactValues({ slice: [{ index: 0 }] })).toEqual(whole.slice(0, count / (shape[0] ?? 1)));
        expect(await tensor.exactValues({ stored: true })).toHaveLength(count);
      }),
      { numRuns: 200 },
    );
  });

  it('round as torch does, in three ways', async () => {
    const bytes = Uint8Array.of(255, 7, 1);
    const of = async (scheme: Quantisation['scheme'], scale: number, zeroPoint: number) => {
      const quantised = {
        ...channelsOf(scheme, 0, 3),
        scales: new Float64Array(3).fill(scale),
        zeroPoints: new Float64Array(3).fill(zeroPoint),
      };
      return tensorOf(bytes, [3], [1], quantised).exactValues();
    };
    const scale = 0.1000000001;
    expect(await of('tensor', scale, 3)).toEqual([252, 4, -2].map((q) => fround(fround(scale) * q)));
    expect(await of('channels', scale, 3)).toEqual([252, 4, -2].map((q) => fround(scale * q)));
    expect(await of('float-channels', scale, 0.3)).toEqual(
      [255, 7, 1].map((q) => fround(fround(q - fround(0.3)) * fround(scale))),
    );
  });

  it('are the values of a scan: an expanded tensor has another one in each channel', async () => {
    const bytes = Uint8Array.of(10);
    const tensor = tensorOf(bytes, [3, 5], [0, 0], channelsOf('channels', 0, 3));
    const distribution = await tensorDistribution(tensor);
    const { count, min, max, dtype } = distribution.summarise('q', 4);
    expect({ count, min, max, dtype }).toEqual({ count: 15, min: 1, max: fround(4 * 2.1), dtype: 'F32' });
  });

  it('of packed integers begin with the lowest bits', async () => {
    const bytes = Uint8Array.of(0x21, 0x43);
    const packed = (dtype: string, shape: readonly number[]) => {
      const quantised = {
        ...channelsOf('tensor', 0, 1),
        dtype,
        scales: Float64Array.of(1),
        zeroPoints: Float64Array.of(0),
      };
      return tensorOf(bytes, shape, [1], quantised);
    };
    expect(await packed('QU4', [4]).exactValues()).toEqual([1, 2, 3, 4]);
    expect(await packed('QU4', [4]).exactValues({ slice: '1::2' })).toEqual([2, 4]);
    expect(await packed('QU2', [8]).exactValues()).toEqual([1, 0, 2, 0, 3, 0, 0, 1]);
  });
});
