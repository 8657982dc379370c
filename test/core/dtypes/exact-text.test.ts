import { describe, expect, test } from 'vitest';
import { elementBits, elementTexts } from '../../../src/core/dtypes/exact-text.ts';

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const unaligned = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(bytes.length + 1).subarray(1);
  copy.set(bytes);
  return copy;
};

describe('texts', () => {
  test('FIELD-CASES.md B55: F32', () => {
    const values = Float32Array.of(1, Number.NaN, Infinity, -Infinity, -0, 1e-45, 3.4e38, 0.1);
    const texts = ['1', 'NaN', 'Inf', '-Inf', '-0', '1.401298464324817e-45', '3.4e+38', '0.1'];
    expect(elementTexts('F32', bytesOf(values), 8)).toEqual(texts);
    expect(elementTexts('F32', unaligned(bytesOf(values)), 8)).toEqual(texts);
  });

  test('FIELD-CASES.md B55: 64-bit integers', () => {
    const signed = BigInt64Array.of(9223372036854775807n, -9223372036854775808n, 9007199254740993n);
    expect(elementTexts('I64', unaligned(bytesOf(signed)), 3)).toEqual([
      '9223372036854775807',
      '-9223372036854775808',
      '9007199254740993',
    ]);
    expect(elementTexts('U64', bytesOf(BigUint64Array.of(2n ** 64n - 1n)), 1)).toEqual(['18446744073709551615']);
  });

  test.each([
    ['BOOL', Uint8Array.of(0, 1, 7), ['false', 'true', 'true']],
    ['U8', Uint8Array.of(0, 255), ['0', '255']],
    ['I8', Int8Array.of(-128, 1), ['-128', '1']],
    ['U16', Uint16Array.of(65535), ['65535']],
    ['I16', Int16Array.of(-32768), ['-32768']],
    ['U32', Uint32Array.of(4294967295), ['4294967295']],
    ['I32', Int32Array.of(-2147483648, 16777217), ['-2147483648', '16777217']],
    ['F64', Float64Array.of(0.1, 5e-324, -0, Number.NaN), ['0.1', '5e-324', '-0', 'NaN']],
    ['F16', Uint16Array.of(0x2e66, 0x0001, 0x7c00), ['0.099975586', '5.9604645e-8', 'Inf']],
    ['BF16', Uint16Array.of(0x3dcd, 0x7f80), ['0.100097656', 'Inf']],
    ['F8_E4M3', Uint8Array.of(0x7e, 0x7f, 0x80), ['448', 'NaN', '-0']],
    ['F8_E8M0', Uint8Array.of(0), ['5.877471754111438e-39']],
    ['F4', Uint8Array.of(0x91), ['0.5', '-0.5']],
  ])('%s', (dtype, array, texts) => {
    expect(elementTexts(dtype, bytesOf(array), texts.length)).toEqual(texts);
  });

  test('C64: real part, signed imaginary part, i', () => {
    const values = Float32Array.of(1, -2, 0.5, Number.NaN, -0, -0, Infinity, 1e21);
    expect(elementTexts('C64', bytesOf(values), 4)).toEqual(['1-2i', '0.5+NaNi', '-0-0i', 'Inf+1e+21i']);
  });

  test('from an odd 4-bit element on, and 6-bit ones in a named order', () => {
    expect(elementTexts('F4', Uint8Array.of(0x72, 0x05), 2, { firstElement: 1 })).toEqual(['6', '3']);
    expect(elementTexts('F6_E2M3', Uint8Array.of(1, 0, 0), 1, { f6Order: 'lsb' })).toEqual(['0.125']);
    expect(() => elementTexts('F6_E2M3', Uint8Array.of(1, 0, 0), 1)).toThrow(
      expect.objectContaining({ code: 'f6-bit-order' }),
    );
  });
});

describe('bits', () => {
  test.each([
    ['F32', Float32Array.of(1, -0), ['3F800000', '80000000']],
    ['F64', Float64Array.of(1), ['3FF0000000000000']],
    ['BF16', Uint16Array.of(0x3f80, 0x0001), ['3F80', '0001']],
    ['I16', Int16Array.of(-2), ['FFFE']],
    ['BOOL', Uint8Array.of(7), ['07']],
    ['U64', BigUint64Array.of(0x0123456789abcdefn), ['0123456789ABCDEF']],
    ['C64', Float32Array.of(1, 2), ['3F800000 40000000']],
    ['F4', Uint8Array.of(0xa1), ['1', 'A']],
  ])('%s, most significant digit first', (dtype, array, bits) => {
    expect(elementBits(dtype, bytesOf(array), bits.length)).toEqual(bits);
    expect(elementBits(dtype, unaligned(bytesOf(array)), bits.length)).toEqual(bits);
  });

  test('a signalling NaN is shown as it is stored', () => {
    expect(elementBits('F32', bytesOf(Uint32Array.of(0x7f800001)), 1)).toEqual(['7F800001']);
  });

  test('6-bit codes take two digits and need an order', () => {
    expect(elementBits('F6_E3M2', Uint8Array.of(0b11_111111, 0, 0), 2, { f6Order: 'lsb' })).toEqual(['3F', '03']);
    expect(() => elementBits('F6_E3M2', new Uint8Array(3), 1)).toThrow(
      expect.objectContaining({ code: 'f6-bit-order' }),
    );
  });
});
