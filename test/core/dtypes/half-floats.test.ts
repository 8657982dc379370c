import { describe, expect, test } from 'vitest';
import { bf16ToFloat32Bits, f16ToFloat32Bits, widenBf16, widenF16 } from '../../../src/core/dtypes/half-floats.ts';

const view = new DataView(new ArrayBuffer(4));
const toNumber = (bits: number): number => {
  view.setUint32(0, bits);
  return view.getFloat32(0);
};
const toBits = (value: number): number => {
  view.setFloat32(0, value);
  return view.getUint32(0);
};

/** The formula of FORMATS.md 1.8 in plain arithmetic, for codes that are not NaN. */
const formula = (code: number, mantissaBits: number, bias: number, maxExponent: number): number => {
  const sign = code >= 0x8000 ? -1 : 1;
  const exponent = Math.floor((code % 0x8000) / 2 ** mantissaBits);
  const fraction = (code % 2 ** mantissaBits) / 2 ** mantissaBits;
  if (exponent === maxExponent) {
    return sign * Number.POSITIVE_INFINITY;
  }
  return sign * (exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias));
};

describe('F16', () => {
  test('all 65,536 patterns', () => {
    for (let code = 0; code < 65536; code += 1) {
      const isNotANumber = (code & 0x7fff) > 0x7c00;
      // A NaN keeps its sign; its ten payload bits move to the top of the float32's 23.
      const expected = isNotANumber
        ? ((code & 0x8000) * 0x10000 + 0x7f800000 + (code & 0x3ff) * 0x2000) % 2 ** 32
        : toBits(formula(code, 10, 15, 31));
      if (f16ToFloat32Bits(code) !== expected) {
        expect.fail(`${code.toString(16)}: ${f16ToFloat32Bits(code).toString(16)}, not ${expected.toString(16)}`);
      }
    }
  });

  // FIELD-CASES.md B59.
  test.each([
    [0x0001, Number('5.960464477539063e-8')],
    [0x03ff, 6.097555160522461e-5],
    [0x0400, 6.103515625e-5],
    [0x7bff, 65504],
    [0x8000, -0],
    [0x7c00, Number.POSITIVE_INFINITY],
  ])('%i', (code, value) => {
    expect(toNumber(f16ToFloat32Bits(code))).toBe(value);
  });

  test('a signalling NaN stays one', () => {
    expect(f16ToFloat32Bits(0x7c01)).toBe(0x7f802000);
    expect(f16ToFloat32Bits(0xfc01)).toBe(0xff802000);
  });
});

describe('BF16', () => {
  test('all 65,536 patterns', () => {
    for (let code = 0; code < 65536; code += 1) {
      const isNotANumber = (code & 0x7fff) > 0x7f80;
      const expected = isNotANumber ? code * 65536 : toBits(formula(code, 7, 127, 255));
      if (bf16ToFloat32Bits(code) !== expected) {
        expect.fail(`${code.toString(16)}: ${bf16ToFloat32Bits(code).toString(16)}, not ${expected.toString(16)}`);
      }
    }
  });

  test.each([
    [0x0001, 9.183549615799121e-41],
    [0x7f7f, 3.3895313892515355e38],
    [0x8000, -0],
  ])('%i', (code, value) => {
    expect(toNumber(bf16ToFloat32Bits(code))).toBe(value);
  });
});

describe('whole arrays', () => {
  test.each([0, 1, 2, 3, 4, 5, 7, 1000, 65_536])(
    '%i elements widen as each one does, and nothing behind them is touched',
    (length) => {
      const halves = Uint16Array.from({ length }, (_, index) => (index * 40503 + 0x7c01) & 0xffff);
      const untouched = -123456789;
      const f16 = new Int32Array(length + 1).fill(untouched);
      const bf16 = new Int32Array(length + 1).fill(untouched);
      widenF16(halves, f16);
      widenBf16(halves, bf16);
      expect(Array.from(f16)).toEqual([...Array.from(halves, (half) => f16ToFloat32Bits(half) | 0), untouched]);
      expect(Array.from(bf16)).toEqual([...Array.from(halves, (half) => bf16ToFloat32Bits(half) | 0), untouched]);
    },
  );
});
