import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFloat32 } from '../../../src/core/dtypes/decode.ts';
import { DTYPES } from '../../../src/core/dtypes/dtype-table.ts';

/** The same bytes at every offset from an eight-byte boundary. */
const atEveryAlignment = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: 8 }, (_, shift) => {
    const copy = new Uint8Array(bytes.length + shift).subarray(shift);
    copy.set(bytes);
    return copy;
  });

const decode = (dtype: string, bytes: Uint8Array, count: number, options = {}): number[] => {
  const out = new Float32Array(DTYPES.get(dtype)?.components === 2 ? count * 2 : count);
  decodeFloat32(dtype, bytes, count, out, options);
  return Array.from(out);
};

const patterns = (dtype: string, bytes: Uint8Array, count: number): number[] => {
  const out = new Float32Array(count);
  decodeFloat32(dtype, bytes, count, out);
  return Array.from(new Uint32Array(out.buffer));
};

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe('integers and booleans', () => {
  test.each([
    ['BOOL', Uint8Array.of(0, 1, 2, 255), [0, 1, 1, 1]],
    ['U8', Uint8Array.of(0, 127, 128, 255), [0, 127, 128, 255]],
    ['I8', Int8Array.of(0, 127, -128, -1), [0, 127, -128, -1]],
    ['U16', Uint16Array.of(0, 0x8000, 0xffff), [0, 32768, 65535]],
    ['I16', Int16Array.of(0, -0x8000, 0x7fff, -1), [0, -32768, 32767, -1]],
    ['U32', Uint32Array.of(0, 16777217, 16777219, 0xffffffff), [0, 16777216, 16777220, 4294967296]],
    ['I32', Int32Array.of(-16777217, -16777219, -0x80000000, 0x7fffffff), [-16777216, -16777220, -(2 ** 31), 2 ** 31]],
    [
      'I64',
      BigInt64Array.of(-1n, 5n, -(2n ** 63n), 2n ** 60n + 2n ** 36n + 1n, 4294967295n),
      [-1, 5, -(2 ** 63), 2 ** 60 + 2 ** 37, 2 ** 32],
    ],
    ['U64', BigUint64Array.of(0n, 2n ** 64n - 1n, 2n ** 63n, 7n), [0, 2 ** 64, 2 ** 63, 7]],
  ])('%s', (dtype, array, expected) => {
    for (const bytes of atEveryAlignment(bytesOf(array))) {
      expect(decode(dtype, bytes, expected.length)).toStrictEqual(expected);
    }
  });
});

describe('floats', () => {
  test('F64 rounds to the nearest float32, to infinity and to zero where it must', () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { maxLength: 20 }), (values) => {
        const bytes = bytesOf(Float64Array.from(values));
        for (const copy of atEveryAlignment(bytes)) {
          expect(decode('F64', copy, values.length)).toStrictEqual(values.map(Math.fround));
        }
      }),
    );
    expect(decode('F64', bytesOf(Float64Array.of(1e300, -1e-300, 3.4028235677973366e38)), 3)).toStrictEqual([
      Number.POSITIVE_INFINITY,
      -0,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test('F32, F16 and BF16 keep every bit of a NaN, signalling ones included', () => {
    const f32 = [0x7f802000, 0xff800001, 0x7fc00000, 0x80000000, 1];
    const f16 = [0x7c01, 0xfe00, 0x8000];
    const bf16 = [0x7f81, 0xffff, 0x0001];
    for (const bytes of atEveryAlignment(bytesOf(Uint32Array.from(f32)))) {
      expect(patterns('F32', bytes, f32.length)).toEqual(f32);
    }
    for (const bytes of atEveryAlignment(bytesOf(Uint16Array.from(f16)))) {
      expect(patterns('F16', bytes, f16.length)).toEqual([0x7f802000, 0xffc00000, 0x80000000]);
    }
    for (const bytes of atEveryAlignment(bytesOf(Uint16Array.from(bf16)))) {
      expect(patterns('BF16', bytes, bf16.length)).toEqual([0x7f810000, 0xffff0000, 0x00010000]);
    }
  });

  test('C64 gives real and imaginary parts in turn', () => {
    const bytes = bytesOf(Float32Array.of(1, -2, Number.NaN, 0.5));
    for (const copy of atEveryAlignment(bytes)) {
      expect(decode('C64', copy, 2)).toStrictEqual([1, -2, Number.NaN, 0.5]);
    }
    expect(decode('C64', bytes, 1, { firstElement: 1 })).toStrictEqual([Number.NaN, 0.5]);
  });
});

describe('FIELD-CASES.md B12', () => {
  const f4 = Uint8Array.of(0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe);
  const values = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6];

  test('F4: low nibble first', () => {
    expect(decode('F4', f4, 16)).toStrictEqual(values);
  });

  test('F4 from an odd element on, and an odd number of them', () => {
    expect(decode('F4', f4, 5, { firstElement: 7 })).toStrictEqual(values.slice(7, 12));
  });

  test('F8_E8M0: 00 7F FE FF, the first one a subnormal float32', () => {
    const bytes = Uint8Array.of(0x00, 0x7f, 0xfe, 0xff);
    expect(decode('F8_E8M0', bytes, 4)).toStrictEqual([5.877471754111438e-39, 1, 1.7014118346046923e38, Number.NaN]);
    expect(patterns('F8_E8M0', bytes, 1)).toEqual([0x00400000]);
  });
});

describe('6-bit floats', () => {
  // Codes 1, 2, 3, 63: 000001 000010 000011 111111.
  const lsb = Uint8Array.of(0b10_000001, 0b0011_0000, 0b111111_00);
  const msb = Uint8Array.of(0b000001_00, 0b0010_0000, 0b11_111111);

  test('decode in the order the caller names', () => {
    expect(decode('F6_E2M3', lsb, 4, { f6Order: 'lsb' })).toStrictEqual([0.125, 0.25, 0.375, -7.5]);
    expect(decode('F6_E3M2', msb, 4, { f6Order: 'msb' })).toStrictEqual([0.0625, 0.125, 0.1875, -28]);
  });

  test.each(['F6_E2M3', 'F6_E3M2'])('%s is refused without one', (dtype) => {
    expect(() => decode(dtype, lsb, 4)).toThrow(expect.objectContaining({ code: 'f6-bit-order' }));
  });
});

describe('what cannot be decoded', () => {
  test('unknown dtype', () => {
    expect(() => decode('Q4_K', new Uint8Array(8), 1)).toThrow(expect.objectContaining({ code: 'unknown-dtype' }));
  });

  test('too few bytes, too short an output: nothing is written', () => {
    const out = new Float32Array(3).fill(7);
    expect(() => decodeFloat32('BF16', new Uint8Array(5), 3, out)).toThrow(
      expect.objectContaining({ code: 'bytes-too-short' }),
    );
    expect(() => decodeFloat32('BF16', new Uint8Array(8), 4, out)).toThrow(
      expect.objectContaining({ code: 'output-too-short' }),
    );
    expect(() => decodeFloat32('C64', new Uint8Array(16), 2, out)).toThrow(
      expect.objectContaining({ code: 'output-too-short' }),
    );
    expect([...out]).toEqual([7, 7, 7]);
  });

  test('what lies behind the elements asked for stays as it was', () => {
    const out = new Float32Array(4).fill(7);
    decodeFloat32('U8', Uint8Array.of(1, 2, 3, 4), 2, out);
    expect([...out]).toEqual([1, 2, 7, 7]);
  });
});

test('every dtype of the table decodes every byte to what its first elements are', () => {
  const bytes = Uint8Array.from({ length: 768 }, (_, index) => (index * 167) & 0xff);
  for (const { name, bits, components } of DTYPES.values()) {
    const count = Math.floor((bytes.length * 8) / bits);
    const whole = decode(name, bytes, count, { f6Order: 'lsb' });
    for (const first of [0, 1, 2, 3, 4, 5, count - 1]) {
      const one = decode(name, bytes, 1, { firstElement: first, f6Order: 'lsb' });
      expect(one, name).toStrictEqual(whole.slice(first * components, (first + 1) * components));
    }
  }
});
