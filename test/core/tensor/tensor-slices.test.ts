import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../src/core/checkpoint.ts';
import { SAFETENSORS_DTYPES } from '../../../src/core/dtypes/dtype-table.ts';
import type { ExactValue } from '../../../src/core/dtypes/exact-values.ts';
import { buildHeader } from '../../../src/core/formats/safetensors/write-header.ts';
import type { SliceItem } from '../../../src/core/tensor/slice.ts';
import type { Tensor } from '../../../src/core/tensor/tensor.ts';

const tensorOf = async (dtype: string, shape: readonly number[], bytes: Uint8Array): Promise<Tensor> => {
  const { prefix } = buildHeader([{ name: 't', dtype, shape, bytes: bytes.length }]);
  // One byte of another tensor in front, so that nothing is aligned by luck.
  return (await inspectSource(memorySource(Buffer.concat([prefix, bytes])))).get('t');
};

/** Index positions of one dimension, the slow way: Python's rules spelled out. */
const positions = (item: SliceItem, size: number): number[] => {
  if ('index' in item) {
    return [item.index < 0 ? item.index + size : item.index];
  }
  const step = item.step ?? 1;
  const wrap = (value: number): number => (value < 0 ? value + size : value);
  const list: number[] = [];
  if (step > 0) {
    const start = Math.max(item.start === undefined ? 0 : wrap(item.start), 0);
    const stop = Math.min(item.stop === undefined ? size : wrap(item.stop), size);
    for (let at = start; at < stop; at += step) {
      list.push(at);
    }
  } else {
    const start = Math.min(item.start === undefined ? size - 1 : wrap(item.start), size - 1);
    const stop = Math.max(item.stop === undefined ? -1 : wrap(item.stop), -1);
    for (let at = start; at > stop; at += step) {
      list.push(at);
    }
  }
  return list;
};

const naive = (values: readonly ExactValue[], shape: readonly number[], items: readonly SliceItem[]): ExactValue[] => {
  let flat = [0];
  shape.forEach((size, dimension) => {
    const own = positions(items[dimension] ?? {}, size);
    flat = flat.flatMap((base) => own.map((at) => base * size + at));
  });
  return flat.map((at) => values[at] ?? Number.NaN);
};

const bound = fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined });

describe('slices of tensors', () => {
  it('agree with the naive way for every dtype, shape and slice', async () => {
    const cases = fc
      .record({
        dtype: fc.constantFrom(...SAFETENSORS_DTYPES.values()),
        shape: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
      })
      .chain(({ dtype, shape }) => {
        // Whole bytes: four elements of 6 bits fill three.
        const padded = dtype.bits < 8 ? [...shape, 4] : shape;
        const bytes = (padded.reduce((product, size) => product * size, 1) * dtype.bits) / 8;
        return fc.record({
          dtype: fc.constant(dtype.name),
          shape: fc.constant(padded),
          bytes: fc.uint8Array({ minLength: bytes, maxLength: bytes }),
          f6Order: fc.constantFrom('lsb' as const, 'msb' as const),
          items: fc.tuple(
            ...padded.map((size) =>
              fc.oneof(
                fc.record({ index: fc.integer({ min: -size, max: size - 1 }) }),
                fc.record({
                  start: bound,
                  stop: bound,
                  step: fc.option(
                    fc.integer({ min: -3, max: 3 }).filter((step) => step !== 0),
                    { nil: undefined },
                  ),
                }),
              ),
            ),
          ),
        });
      });
    await fc.assert(
      fc.asyncProperty(cases, async ({ dtype, shape, bytes, items, f6Order }) => {
        const tensor = await tensorOf(dtype, shape, bytes);
        const whole = await tensor.exactValues({ f6Order });
        const sliced = await tensor.exactValues({ slice: items, f6Order });
        expect(sliced).toEqual(naive(whole, shape, items));
        const floats = await tensor.toFloat32({ slice: items, f6Order });
        expect(floats.length).toBe(sliced.length * tensor.info.components);
      }),
      { numRuns: 400 },
    );
  });

  it('an order for 6-bit values leaves 4-bit ones alone', async () => {
    const tensor = await tensorOf('F4', [4], Uint8Array.of(0x10, 0x32));
    expect(await tensor.exactValues({ slice: '::-1', f6Order: 'msb' })).toEqual([1.5, 1, 0.5, 0]);
  });

  it('rows are views in the tensor’s own dtype', async () => {
    const bytes = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);
    const tensor = await tensorOf('F32', [3, 2], bytes);
    expect(await tensor.rows(1, 2)).toEqual({ shape: [2, 2], values: Float32Array.of(3, 4, 5, 6) });
    await expect((await tensorOf('BF16', [6, 2], bytes)).rows(0, 1)).resolves.toEqual({
      shape: [1, 2],
      values: Uint16Array.of(0, 0x3f80),
    });
    await expect((await tensorOf('I64', [3], bytes)).rows(2, 1)).resolves.toMatchObject({ shape: [1] });
    await expect(tensor.rows(2, 2)).rejects.toMatchObject({ code: 'bad-slice' });
    await expect((await tensorOf('F4', [2, 3], Uint8Array.of(1, 2, 3))).rows(0, 1)).rejects.toMatchObject({
      code: 'unsupported-rows',
    });
  });
});
