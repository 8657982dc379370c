import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../src/core/checkpoint.ts';
import { SliceError, UnreadableTensorError } from '../../../src/core/errors.ts';
import type { Tensor } from '../../../src/core/tensor/tensor.ts';
import { entry, fileBytes, header, member } from '../../support/safetensors-bytes.ts';

const tensorOf = async (dtype: string, shape: readonly number[], data: Uint8Array): Promise<Tensor> => {
  const text = header(member('t', entry(dtype, JSON.stringify(shape), `[0,${data.byteLength}]`)));
  const checkpoint = await inspectSource(memorySource(fileBytes(text, data), 'm.safetensors'));
  return checkpoint.get('t');
};

const bytesOf = (array: { readonly buffer: ArrayBuffer }): Uint8Array => new Uint8Array(array.buffer);
const counting = (count: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: count }, (_, index) => index);

describe('reading', () => {
  it('whole, by slice, by range, as a stream: the same numbers', async () => {
    const tensor = await tensorOf('F32', [3, 4], bytesOf(counting(12)));
    expect([...(await tensor.toFloat32())]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect([...(await tensor.toFloat32({ slice: '1:,::-2' }))]).toEqual([7, 5, 11, 9]);
    expect(tensor.select({ slice: '1:,::-2' }).shape).toEqual([2, 2]);
    expect(tensor.select({ slice: '1,:' }).shape).toEqual([4]);
    expect([...(await tensor.toFloat32({ range: { start: 5, count: 3 } }))]).toEqual([5, 6, 7]);
    const parts: number[] = [];
    for await (const part of tensor.stream({ slice: ':,1' })) {
      parts.push(...part);
    }
    expect(parts).toEqual([1, 5, 9]);
  });

  it('exactly: 64-bit integers as bigint, complex as pairs', async () => {
    const wide = BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n);
    expect(await (await tensorOf('I64', [3], bytesOf(wide))).exactValues()).toEqual([...wide]);
    const complex = await tensorOf('C64', [2], bytesOf(Float32Array.of(1, -2, 3, 4)));
    expect(await complex.exactValues({ slice: '::-1' })).toEqual([
      [3, 4],
      [1, -2],
    ]);
    expect([...(await complex.toFloat32())]).toEqual([1, -2, 3, 4]);
  });

  it('4-bit values from any start and with any step', async () => {
    const data = Uint8Array.from({ length: 32 }, (_, index) => (((index * 2 + 1) % 16) << 4) | ((index * 2) % 16));
    const tensor = await tensorOf('F4', [64], data);
    const whole = [...(await tensor.toFloat32())];
    const bound = fc.integer({ min: -70, max: 70 });
    const step = fc.integer({ min: -9, max: 9 }).filter((value) => value !== 0);
    await fc.assert(
      fc.asyncProperty(bound, bound, step, async (start, stop, by) => {
        const picked = [...(await tensor.toFloat32({ slice: [{ start, stop, step: by }] }))];
        const indices = [
          ...(await (
            await tensorOf(
              'U8',
              [64],
              Uint8Array.from({ length: 64 }, (_, i) => i),
            )
          ).toFloat32({ slice: [{ start, stop, step: by }] })),
        ];
        expect(picked).toEqual(indices.map((index) => whole[index]));
      }),
      { numRuns: 100 },
    );
  });

  it.each(['lsb', 'msb'] as const)('6-bit values in a named order (%s), sliced as whole', async (f6Order) => {
    const data = Uint8Array.from({ length: 48 }, (_, index) => (index * 89 + 7) % 256);
    const tensor = await tensorOf('F6_E2M3', [64], data);
    expect(tensor.readable).toBe(false);
    await expect(tensor.toFloat32()).rejects.toThrow(UnreadableTensorError);
    expect(await tensor.bytes()).toEqual(data);
    const whole = [...(await tensor.toFloat32({ f6Order }))];
    expect(whole).toHaveLength(64);
    expect([...(await tensor.toFloat32({ f6Order, slice: '::-3' }))]).toEqual(
      whole.toReversed().filter((_, index) => index % 3 === 0),
    );
    expect([...(await tensor.toFloat32({ f6Order, range: { start: 5, count: 9 } }))]).toEqual(whole.slice(5, 14));
  });

  it('raw bytes in pieces', async () => {
    const data = Uint8Array.from({ length: 10 }, (_, index) => index);
    const tensor = await tensorOf('U8', [10], data);
    const pieces: number[][] = [];
    for await (const piece of tensor.rawPieces(4)) {
      pieces.push([...piece]);
    }
    expect(pieces).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
  });

  it('of an empty tensor is empty', async () => {
    const tensor = await tensorOf('F32', [0, 3], new Uint8Array());
    expect(await tensor.toFloat32()).toHaveLength(0);
    expect(await tensor.toFloat32({ slice: ':,1' })).toHaveLength(0);
    expect(await tensor.exactValues()).toEqual([]);
    expect(tensor.select({ range: { start: 0, count: 0 } }).count).toBe(0);
  });
});

describe('refused', () => {
  it.each([
    [{ slice: '12' }],
    [{ slice: 'x' }],
    [{ slice: ':,:' }],
    [{ range: { start: 0, count: 13 } }],
    [{ range: { start: 13, count: 0 } }],
    [{ range: { start: -1, count: 1 } }],
    [{ range: { start: 0.5, count: 1 } }],
    [{ range: { start: 0, count: 2 ** 53 } }],
    [{ range: { start: 0, count: 1 }, slice: '0' }],
  ])('%j', async (selection) => {
    const tensor = await tensorOf('F32', [12], bytesOf(counting(12)));
    await expect(tensor.toFloat32(selection)).rejects.toThrow(SliceError);
  });

  it('more than 2 GiB at once, before anything is allocated', async () => {
    const size = 2 ** 33;
    const text = header(member('t', entry('U8', `[${size}]`, `[0,${size}]`)));
    const small = fileBytes(text);
    const checkpoint = await inspectSource({
      name: 'm.safetensors',
      size: small.length + size,
      read: (offset, target) => target.set(small.subarray(offset, offset + target.byteLength)),
      close: () => undefined,
    });
    const tensor = checkpoint.get('t');
    await expect(tensor.bytes()).rejects.toMatchObject({ code: 'too-large' });
    await expect(tensor.toFloat32()).rejects.toMatchObject({ code: 'too-large' });
    await expect(tensor.exactValues()).rejects.toMatchObject({ code: 'too-large' });
    expect(await tensor.toFloat32({ range: { start: size - 4, count: 4 } })).toHaveLength(4);
  });
});
