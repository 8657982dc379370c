import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatFloat32,
  formatFloat64,
  formatInt,
  formatParameters,
  formatStatistic,
} from '../../src/shared/format-number.ts';

const floatOf = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0] ?? 0;
const anyBits = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/** Significant digits of a decimal text. */
const digitsOf = (text: string): number =>
  text.replace(/e.*$/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;

describe('a float32', () => {
  it.each([
    [0.1, '0.1'],
    [-0.1, '-0.1'],
    [1 / 3, '0.33333334'],
    [3.4e38, '3.4e+38'],
    [16777216, '16777216'],
    [1e10, '10000000000'],
    [1e-7, '1e-7'],
    [2 ** -126, '1.1754944e-38'],
    [3.4028234663852886e38, '3.4028235e+38'],
    // As numpy prints them: of two equally near the even one, and next to a power of two the only short one.
    [390695.625, '390695.62'],
    [-1783915.25, '-1783915.2'],
    [2 ** -12, '0.00024414062'],
    [2 ** -96, '1.2621775e-29'],
    [-(2 ** 87), '-1.5474251e+26'],
    [0, '0'],
    [-0, '-0'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('%d is %s', (value, text) => {
    expect(formatFloat32(Math.fround(value))).toBe(text);
  });

  it.each([
    [0x00000001, '1.401298464324817e-45'],
    [0x80000001, '-1.401298464324817e-45'],
    [0x00400000, '5.877471754111438e-39'],
    [0x007fffff, '1.1754942106924411e-38'],
  ])('below the smallest normal one (bits %i) is the exact %s', (bits, text) => {
    expect(formatFloat32(floatOf(bits))).toBe(text);
  });

  it('reads back as the same float32, and no shorter text does', () => {
    fc.assert(
      fc.property(anyBits, (bits) => {
        const value = floatOf(bits);
        fc.pre(Number.isFinite(value) && value !== 0);
        const text = formatFloat32(value);
        expect(Math.fround(Number(text))).toBe(value);
        if (Math.abs(value) < 2 ** -126) {
          expect(Number(text)).toBe(value);
        } else if (digitsOf(text) > 1) {
          expect(Math.fround(Number(value.toPrecision(digitsOf(text) - 1)))).not.toBe(value);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('at every power of two and its neighbours reads back', () => {
    for (let exponent = 0; exponent < 255; exponent += 1) {
      for (const bits of [exponent << 23, (exponent << 23) + 1, (exponent << 23) + 0x7fffff]) {
        const value = floatOf(bits);
        expect(Math.fround(Number(formatFloat32(value)))).toBe(value);
      }
    }
  });
});

describe('a float64', () => {
  it('reads back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(formatFloat64(value))).toBe(value);
      }),
    );
  });

  it.each([
    [-0, '-0'],
    [5e-324, '5e-324'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('%d is %s', (value, text) => {
    expect(formatFloat64(value)).toBe(text);
  });
});

describe('integers', () => {
  it('have their thousands apart', () => {
    expect([0, 7, 999, 1000, 123456, 4_932_308_256].map(formatInt)).toEqual([
      '0',
      '7',
      '999',
      '1,000',
      '123,456',
      '4,932,308,256',
    ]);
    expect(formatInt(-1234567)).toBe('-1,234,567');
    expect(formatInt(2n ** 64n)).toBe('18,446,744,073,709,551,616');
  });

  it('lose nothing by it', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(BigInt(formatInt(value).replaceAll(',', ''))).toBe(value);
        expect(formatInt(value)).toMatch(/^-?\d{1,3}(,\d{3})*$/);
      }),
    );
  });
});

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [87, '87 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [99_940, '99.9 kB'],
    [99_950, '100 kB'],
    [536_000_000, '536 MB'],
    [999_949_999, '1.0 GB'],
    [4_932_308_256, '4.9 GB'],
    [1e18, '1000 PB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0, '0'],
    [512, '512'],
    [268_098_816, '268 M'],
    [1_300_000_000, '1.3 B'],
    [2n ** 63n, '9223372 T'],
  ])('%d parameters are %s', (count, text) => {
    expect(formatParameters(count)).toBe(text);
  });
});

describe('a statistic', () => {
  it.each([
    [undefined, '–'],
    [0.123456789, '0.12346'],
    [-0, '-0'],
    [12345678, '12345678'],
    [2n ** 60n, '1152921504606846976'],
    [2 ** 63, '9.2234e+18'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [1e-9, '1e-9'],
  ])('%s is %s', (value, text) => {
    expect(formatStatistic(value)).toBe(text);
  });

  it('takes as many digits as asked for', () => {
    expect(formatStatistic(1 / 3, 9)).toBe('0.333333333');
  });
});
