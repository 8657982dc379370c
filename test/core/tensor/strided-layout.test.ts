import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import type { ExactValue } from '../../../src/core/dtypes/exact-values.ts';
import { lastElement, rowMajorStrides, type StridedLayout } from '../../../src/core/tensor/strided-layout.ts';
import { Tensor } from '../../../src/core/tensor/tensor.ts';
import { TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';

const SIZES: Readonly<Record<string, number>> = { I8: 1, F16: 2, I32: 4, F32: 4, C64: 8, I64: 8 };

/** A view of a storage that begins at byte 3 of its file. */
const view = (dtype: string, shape: readonly number[], storage: Uint8Array, layout: Partial<StridedLayout>): Tensor => {
  const builder = new TensorTableBuilder(['f']);
  const count = shape.reduce((product, size) => product * size, 1);
  const strided = {
    storageBegin: 3,
    storageEnd: 3 + storage.length,
    firstElement: 0,
    strides: rowMajorStrides(shape),
    ...layout,
  };
  const begin = 3;
  builder.add({
    name: 'v',
    dtype,
    shape,
    count,
    begin,
    end: begin + count * (SIZES[dtype] ?? 1),
    layout: 'strided',
    file: 0,
    strided,
  });
  const file = new Uint8Array(3 + storage.length);
  file.set(storage, 3);
  return new Tensor(new TensorTable(builder.finish()), 0, memorySource(file));
};

const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

describe('views', () => {
  it('are read in logical order (FIELD-CASES B16)', async () => {
    const tensor = view('F32', [2, 3], floats(...Array.from({ length: 12 }, (_, k) => k)), {
      firstElement: 2,
      strides: [1, 2],
    });
    expect([...(await tensor.toFloat32())]).toEqual([2, 4, 6, 3, 5, 7]);
    expect([...(await tensor.toFloat32({ slice: '1,::-1' }))]).toEqual([7, 5, 3]);
    expect([...(await tensor.toFloat32({ range: { start: 2, count: 3 } }))]).toEqual([6, 3, 5]);
    expect(new Float32Array((await tensor.bytes()).buffer)).toEqual(Float32Array.of(2, 4, 6, 3, 5, 7));
  });

  it('agree with an element-by-element reading, for any strides, slices and ranges', async () => {
    const cases = fc
      .record({
        dtype: fc.constantFrom(...Object.keys(SIZES)),
        shape: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
        firstElement: fc.nat({ max: 4 }),
      })
      .chain(({ dtype, shape, firstElement }) =>
        fc.record({
          dtype: fc.constant(dtype),
          shape: fc.constant(shape),
          firstElement: fc.constant(firstElement),
          strides: fc.tuple(...shape.map(() => fc.nat({ max: 7 }))),
          start: fc.nat(),
          count: fc.nat(),
          seed: fc.nat({ max: 250 }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ({ dtype, shape, firstElement, strides, start, count, seed }) => {
        const size = SIZES[dtype] ?? 1;
        const elements = Number(lastElement(BigInt(firstElement), shape, strides)) + 1;
        const storage = Uint8Array.from({ length: elements * size }, (_, k) => (k * 37 + seed) & 0xff);
        const plain = view(dtype, [elements], storage, {});
        const stored = await plain.exactValues();
        const tensor = view(dtype, shape, storage, { firstElement, strides });
        let places = [firstElement];
        shape.forEach((length, dimension) => {
          places = places.flatMap((at) => Array.from({ length }, (_, k) => at + k * (strides[dimension] ?? 0)));
        });
        const expected = places.map((at): ExactValue => stored[at] ?? Number.NaN);
        expect(await tensor.exactValues()).toEqual(expected);
        const from = start % (expected.length + 1);
        const length = count % (expected.length - from + 1);
        expect(await tensor.exactValues({ range: { start: from, count: length } })).toEqual(
          expected.slice(from, from + length),
        );
        const slice = shape.map((_, k) => (k % 2 === 0 ? '::-1' : ':')).join(',');
        expect(await tensor.exactValues({ slice })).toEqual(reversedOuter(expected, shape));
      }),
      { numRuns: 300 },
    );
  });

  it('an expanded tensor reads its one element over and over, in bounded pieces', async () => {
    const tensor = view('F32', [3_000_000], floats(7), { strides: [0] });
    let pieces = 0;
    let total = 0;
    for await (const part of tensor.stream()) {
      pieces += 1;
      total += part.length;
      expect(part.every((value) => value === 7)).toBe(true);
    }
    expect(total).toBe(3_000_000);
    expect(pieces).toBeGreaterThan(5);
  });

  it('big-endian, negated and conjugated values are the tensor’s own', async () => {
    const big = Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0);
    expect([...(await view('F32', [2], big, { bigEndian: true }).toFloat32())]).toEqual([1, -2]);
    expect(await view('C64', [1], big, { bigEndian: true, conjugated: true }).exactValues()).toEqual([[1, 2]]);
    expect(await view('F32', [3], floats(1, 0, Number.NaN), { negated: true }).exactValues()).toEqual([
      -1,
      -0,
      Number.NaN,
    ]);
    expect(await view('C64', [1], floats(1, 2), { negated: true }).exactValues()).toEqual([[-1, -2]]);
    expect(await view('I8', [3], Uint8Array.of(1, 0x80, 0), { negated: true }).exactValues()).toEqual([-1, -128, 0]);
    const i64 = new Uint8Array(BigInt64Array.of(5n, -(2n ** 40n)).buffer);
    expect(await view('I64', [2], i64, { negated: true }).exactValues()).toEqual([-5n, 2n ** 40n]);
    expect(await view('I8', [2], Uint8Array.of(1, 2), { bigEndian: true }).exactValues()).toEqual([1, 2]);
  });
});

/** What a slice that reverses every other dimension, the first included, gives. */
const reversedOuter = (values: readonly ExactValue[], shape: readonly number[]): ExactValue[] => {
  let flat = [0];
  shape.forEach((size, dimension) => {
    const order = Array.from({ length: size }, (_, k) => (dimension % 2 === 0 ? size - 1 - k : k));
    flat = flat.flatMap((base) => order.map((at) => base * size + at));
  });
  return flat.map((at) => values[at] ?? Number.NaN);
};

describe('lastElement', () => {
  it('is exact for numbers no f64 holds, and −1 for an empty view', () => {
    expect(lastElement(2n, [2, 3], [1, 2])).toBe(7n);
    expect(lastElement(0n, [2n ** 63n], [2n ** 62n])).toBe((2n ** 63n - 1n) * 2n ** 62n);
    expect(lastElement(5n, [3, 0], [1, 1])).toBe(-1n);
    expect(lastElement(5n, [], [])).toBe(5n);
  });
});
