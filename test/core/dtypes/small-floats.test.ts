import { describe, expect, test } from 'vitest';
import { dtypeInfo } from '../../../src/core/dtypes/dtype-table.ts';
import { CANONICAL_NAN_BITS, isSubnormalCode, SMALL_FLOAT_TABLES } from '../../../src/core/dtypes/small-floats.ts';

const table = (dtype: string): number[] => Array.from(SMALL_FLOAT_TABLES.get(dtype) ?? []);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const codesOf = (values: readonly number[], is: (value: number) => boolean): number[] =>
  range(0, values.length).filter((code) => is(values[code] ?? 0));
const withNegatives = (positive: readonly number[]): number[] => [...positive, ...positive.map((value) => -value)];

// Value lists of FORMATS.md 1.8.
const E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6];
const E2M3 = [
  ...range(0, 8).map((step) => step * 0.125),
  ...range(0, 8).map((step) => 1 + step * 0.125),
  ...range(0, 8).map((step) => 2 + step * 0.25),
  ...range(0, 8).map((step) => 4 + step * 0.5),
];
const E3M2 = [
  [0, 0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375],
  [0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 1.75],
  [2, 2.5, 3, 3.5, 4, 5, 6, 7],
  [8, 10, 12, 14, 16, 20, 24, 28],
].flat();

describe('floats below a byte', () => {
  test.each([
    ['F4', E2M1],
    ['F6_E2M3', E2M3],
    ['F6_E3M2', E3M2],
  ])('%s has exactly the listed values, negative half mirrored, −0 included', (dtype, positive) => {
    expect(table(dtype)).toStrictEqual(withNegatives(positive));
  });
});

/**
 * The values of a sign-magnitude format from its smallest subnormal step alone: the first two "binades" (subnormal and first
 * normal) are evenly spaced, each following one is twice the one before.
 */
const magnitudes = (mantissaBits: number, step: number): number[] => {
  const binade = 2 ** mantissaBits;
  const values = range(0, 2 * binade).map((code) => code * step);
  while (values.length < 128) {
    values.push(2 * (values[values.length - binade] ?? 0));
  }
  return values;
};

describe('8-bit floats with a sign', () => {
  test.each([
    ['F8_E4M3', 3, 2 ** -9, [0x7f, 0xff], []],
    ['F8_E5M2', 2, 2 ** -16, [0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff], [0x7c, 0xfc]],
    ['F8_E4M3FNUZ', 3, 2 ** -10, [0x80], []],
    ['F8_E5M2FNUZ', 2, 2 ** -17, [0x80], []],
  ] as const)('%s: all 256 codes', (dtype, mantissaBits, step, nans, infinities) => {
    const expected: number[] = withNegatives(magnitudes(mantissaBits, step));
    for (const code of nans) {
      expected[code] = Number.NaN;
    }
    for (const code of infinities) {
      expected[code] = code < 0x80 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    }
    expect(table(dtype)).toStrictEqual(expected);
  });

  // FIELD-CASES.md B59.
  test.each([
    ['F8_E4M3', 0x01, 0.001953125],
    ['F8_E4M3', 0x08, 0.015625],
    ['F8_E4M3', 0x7e, 448],
    ['F8_E5M2', 0x01, 1.52587890625e-5],
    ['F8_E5M2', 0x7b, 57344],
    ['F8_E4M3FNUZ', 0x40, 1],
    ['F8_E4M3FNUZ', 0x7f, 240],
    ['F8_E5M2FNUZ', 0x01, 7.62939453125e-6],
    ['F8_E5M2FNUZ', 0x40, 1],
    ['F8_E5M2FNUZ', 0x7f, 57344],
  ] as const)('%s code %i is %d', (dtype, code, value) => {
    expect(table(dtype)[code]).toBe(value);
  });

  test('the codes of NaN and infinity are those and no others', () => {
    expect(codesOf(table('F8_E4M3'), Number.isNaN)).toEqual([0x7f, 0xff]);
    expect(codesOf(table('F8_E4M3'), (value) => Math.abs(value) === Number.POSITIVE_INFINITY)).toEqual([]);
    expect(codesOf(table('F8_E5M2'), Number.isNaN)).toHaveLength(6);
    expect(codesOf(table('F8_E4M3FNUZ'), Number.isNaN)).toEqual([0x80]);
    expect(codesOf(table('F8_E5M2FNUZ'), Number.isNaN)).toEqual([0x80]);
  });
});

describe('F8_E8M0', () => {
  test('is a bare exponent without zero or sign, 0xFF is NaN', () => {
    const values = table('F8_E8M0');
    expect(values[0]).toBe(5.877471754111438e-39);
    for (const code of range(0, 254)) {
      expect(values[code + 1]).toBe(2 * (values[code] ?? 0));
    }
    expect(values[0x7f]).toBe(1);
    expect(values[0xfe]).toBe(1.7014118346046923e38);
    expect(values[0xff]).toBeNaN();
  });
});

describe('as bit patterns', () => {
  test('every NaN is the canonical one, and 2^-127 the subnormal 0x00400000', () => {
    for (const values of SMALL_FLOAT_TABLES.values()) {
      const patterns = new Uint32Array(values.buffer);
      for (const code of codesOf(Array.from(values), Number.isNaN)) {
        expect(patterns[code]).toBe(CANONICAL_NAN_BITS);
      }
    }
    expect(new Uint32Array(SMALL_FLOAT_TABLES.get('F8_E8M0')?.buffer ?? new ArrayBuffer(4))[0]).toBe(0x00400000);
  });
});

describe('subnormals', () => {
  test.each([
    ['F4', [1, 9]],
    ['F6_E2M3', [...range(1, 8), ...range(33, 40)]],
    ['F6_E3M2', [1, 2, 3, 33, 34, 35]],
    ['F8_E4M3', [...range(1, 8), ...range(0x81, 0x88)]],
    ['F8_E5M2FNUZ', [1, 2, 3, 0x81, 0x82, 0x83]],
    ['F8_E8M0', []],
  ])('of %s', (dtype, codes) => {
    const info = dtypeInfo(dtype);
    const format = info?.format;
    if (info === undefined || format === undefined) {
      throw new Error(`${dtype} is no float`);
    }
    expect(range(0, 2 ** info.bits).filter((code) => isSubnormalCode(format, code))).toEqual(codes);
  });
});
