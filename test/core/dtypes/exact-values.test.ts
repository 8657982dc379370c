import { describe, expect, test } from 'vitest';
import { elementNumbers, elementValues } from '../../../src/core/dtypes/exact-values.ts';

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe('elementValues', () => {
  test.each([
    ['BOOL', Uint8Array.of(0, 1, 9), [0, 1, 1]],
    ['I8', Int8Array.of(-1), [-1]],
    ['U32', Uint32Array.of(4294967295, 16777217), [4294967295, 16777217]],
    ['I32', Int32Array.of(-16777217), [-16777217]],
    ['I64', BigInt64Array.of(5n, -(2n ** 63n)), [5n, -(2n ** 63n)]],
    ['U64', BigUint64Array.of(2n ** 64n - 1n), [2n ** 64n - 1n]],
    ['F64', Float64Array.of(0.1, -0, Number.NaN), [0.1, -0, Number.NaN]],
    ['F32', Float32Array.of(0.1, -Infinity), [Math.fround(0.1), -Infinity]],
    ['BF16', Uint16Array.of(0x3f80), [1]],
    ['F4', Uint8Array.of(0x91), [0.5, -0.5]],
    [
      'C64',
      Float32Array.of(1, -2, 0, Infinity),
      [
        [1, -2],
        [0, Infinity],
      ],
    ],
  ])('%s', (dtype, array, values) => {
    expect(elementValues(dtype, bytesOf(array), values.length)).toStrictEqual(values);
  });

  test('skips elements at the front', () => {
    const bytes = bytesOf(BigInt64Array.of(1n, 2n, 3n));
    expect(elementValues('I64', bytes, 2, { firstElement: 1 })).toEqual([2n, 3n]);
  });
});

describe('elementNumbers', () => {
  test.each([
    ['I64', BigInt64Array.of(9007199254740993n, -1n), [9007199254740992, -1]],
    ['U64', BigUint64Array.of(2n ** 64n - 1n), [2 ** 64]],
    ['F64', Float64Array.of(0.1, Number.NaN), [0.1, Number.NaN]],
    ['U32', Uint32Array.of(4294967295), [4294967295]],
    ['F16', Uint16Array.of(0x3c00, 0xfc00), [1, -Infinity]],
    ['C64', Float32Array.of(1, -2, 3, Infinity), [1, 3]],
  ])('%s', (dtype, array, numbers) => {
    expect(Array.from(elementNumbers(dtype, bytesOf(array), numbers.length))).toStrictEqual(numbers);
  });

  test('do not share memory with the bytes', () => {
    const source = Float64Array.of(1, 2);
    const numbers = elementNumbers('F64', bytesOf(source), 2);
    source[0] = 9;
    expect([...numbers]).toEqual([1, 2]);
  });
});
