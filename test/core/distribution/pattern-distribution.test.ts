import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { QUANTILES } from '../../../src/shared/checkpoint-types.ts';
import { isNearestMean, isStd, referenceCounts, referenceOf, referenceQuantile } from './support/reference.ts';
import { bytesOf } from './support/windows.ts';

const BITS = { F4: 4, F6_E2M3: 6, F6_E3M2: 6, I16: 16, U16: 16, F16: 16, BF16: 16 } as const;
const BYTE_DTYPES = ['BOOL', 'U8', 'I8', 'F8_E5M2', 'F8_E4M3', 'F8_E8M0', 'F8_E4M3FNUZ', 'F8_E5M2FNUZ'] as const;
const DTYPES = [...Object.entries(BITS), ...BYTE_DTYPES.map((dtype) => [dtype, 8] as const)] as const;

/** Bytes of few different values, so that elements repeat; and of any. */
const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 96 }),
  fc
    .array(fc.constantFrom(0, 1, 0x3c, 0x7c, 0x80, 0xbf, 0xff), { maxLength: 96 })
    .map((bytes) => Uint8Array.from(bytes)),
);

describe.each(DTYPES)('%s', (dtype, bits) => {
  const unit = bits === 6 ? 3 : Math.ceil(bits / 8);
  const options = bits === 6 ? ({ f6Order: 'msb' } as const) : {};

  test('every statistic is that of a naive reference', () => {
    fc.assert(
      fc.property(someBytes, fc.integer({ min: 1, max: 20 }), (raw, bins) => {
        const bytes = raw.slice(0, raw.length - (raw.length % unit));
        const count = (bytes.length * 8) / bits;
        const reference = referenceOf(dtype, bytes, count, options.f6Order);
        const finite = reference.finite.map(Number);
        const distribution = newDistribution(dtype, options);
        distribution.add(bytes);
        const stats = distribution.summarise('a "name"', bins);
        expect(stats).toMatchObject({
          name: 'a "name"',
          dtype,
          count,
          nan: reference.nan,
          posInf: reference.posInf,
          negInf: reference.negInf,
          zeros: reference.zeros,
          negZeros: reference.negZeros,
          exact: true,
          distinct: reference.distinct,
        });
        if (finite.length === 0) {
          expect([stats.min, stats.max, stats.mean, stats.std, stats.quantiles, stats.histogram]).toEqual(
            new Array(6).fill(undefined),
          );
          return;
        }
        expect([stats.min, stats.max]).toEqual([(finite[0] ?? 0) + 0, (finite[finite.length - 1] ?? 0) + 0]);
        expect(isNearestMean(stats.mean ?? Number.NaN, finite)).toBe(true);
        expect(isStd(stats.std ?? Number.NaN, finite)).toBe(true);
        const sorted = finite.map((value) => value + 0);
        expect(stats.quantiles).toEqual(QUANTILES.map((fraction) => referenceQuantile(sorted, fraction)));
        const { edges, counts, below, above, exact } = stats.histogram ?? expect.fail('no histogram');
        expect([...counts]).toEqual(referenceCounts(finite, edges));
        expect([below, above, exact]).toEqual([0, 0, true]);
      }),
    );
  });
});

describe('subnormals', () => {
  test.each([
    ['F16', Uint16Array.of(0, 0x8000, 1, 0x03ff, 0x83ff, 0x0400, 0x7c01), 3],
    ['BF16', Uint16Array.of(0, 0x8000, 1, 0x007f, 0x807f, 0x0080, 0x7f81), 3],
    ['F8_E4M3', Uint8Array.of(0, 0x80, 1, 7, 0x87, 8, 0x7f), 3],
    ['F8_E8M0', Uint8Array.of(0, 1, 0xff), 0],
    ['F4', Uint8Array.of(0x91, 0x80, 0x2a), 2],
    ['U8', Uint8Array.of(0, 1, 2), 0],
    ['I16', Int16Array.of(1, -1), 0],
    ['BOOL', Uint8Array.of(0, 1), 0],
  ])('of %s', (dtype, array, subnormals) => {
    const distribution = newDistribution(dtype);
    distribution.add(bytesOf(array));
    expect(distribution.summarise('t').subnormals).toBe(subnormals);
  });
});

describe('distinct values', () => {
  test('−0 and 0 are one, all NaN are one, each infinity is one', () => {
    const distribution = newDistribution('F16');
    distribution.add(bytesOf(Uint16Array.of(0, 0x8000, 0x7c01, 0xfe00, 0x7e00, 0x7c00, 0xfc00, 0x3c00, 0x3c00)));
    expect(distribution.summarise('t')).toMatchObject({ distinct: 5, nan: 3, zeros: 2, negZeros: 1 });
  });

  test('all 65,536 patterns of BF16', () => {
    const distribution = newDistribution('BF16');
    distribution.add(bytesOf(Uint16Array.from({ length: 65536 }, (_, code) => code)));
    expect(distribution.summarise('t')).toMatchObject({
      count: 65536,
      nan: 254,
      posInf: 1,
      negInf: 1,
      zeros: 2,
      negZeros: 1,
      subnormals: 254,
      // Two zeros, 254 NaNs: one each.
      distinct: 65536 - 1 - 253,
      min: -3.3895313892515355e38,
      max: 3.3895313892515355e38,
      mean: 0,
    });
  });
});

describe('BOOL', () => {
  test('any byte but 0 is true; bytes other than 0 and 1 are told', () => {
    const distribution = newDistribution('BOOL');
    distribution.add(Uint8Array.of(0, 1, 1, 2, 255, 0, 2, 1));
    const stats = distribution.summarise('t', 2);
    expect(stats).toMatchObject({ zeros: 2, min: 0, max: 1, mean: 0.75, distinct: 2 });
    expect([...(stats.histogram?.counts ?? [])]).toEqual([2, 6]);
    expect(distribution.boolOutOfRange).toBe(3);
  });

  test('other dtypes have no such bytes', () => {
    const distribution = newDistribution('U8');
    distribution.add(Uint8Array.of(2, 3));
    expect(distribution.boolOutOfRange).toBe(0);
  });
});

describe('mean and standard deviation do not cancel', () => {
  test('a constant far from zero has no deviation', () => {
    const distribution = newDistribution('BF16');
    // 3.3895313892515355e38, the largest one.
    distribution.add(bytesOf(new Uint16Array(100_003).fill(0x7f7f)));
    expect(distribution.summarise('t')).toMatchObject({ mean: 3.3895313892515355e38, std: 0 });
  });

  test('the largest and the smallest together', () => {
    const distribution = newDistribution('BF16');
    distribution.add(bytesOf(Uint16Array.of(0x7f7f, 0x0001, 0xff7f)));
    expect(distribution.summarise('t').mean).toBe(9.183549615799121e-41 / 3);
  });
});

describe('nothing and nothing finite', () => {
  test('an empty tensor', () => {
    const stats = newDistribution('F16').summarise('empty');
    expect(stats).toEqual({
      name: 'empty',
      dtype: 'F16',
      count: 0,
      nan: 0,
      posInf: 0,
      negInf: 0,
      zeros: 0,
      negZeros: 0,
      subnormals: 0,
      min: undefined,
      max: undefined,
      mean: undefined,
      std: undefined,
      quantiles: undefined,
      distinct: 0,
      exact: true,
      histogram: undefined,
    });
  });

  test('only NaN', () => {
    const distribution = newDistribution('F8_E4M3');
    distribution.add(Uint8Array.of(0x7f, 0xff, 0x7f));
    expect(distribution.summarise('t')).toMatchObject({
      count: 3,
      nan: 3,
      min: undefined,
      mean: undefined,
      distinct: 1,
    });
    expect(distribution.histogram(10)).toBeUndefined();
    expect([...(distribution.histogram(2, 0, 1)?.counts ?? [])]).toEqual([0, 0]);
  });
});

describe('histogram', () => {
  test('over a range of the caller’s', () => {
    const distribution = newDistribution('I8');
    distribution.add(bytesOf(Int8Array.of(-128, -3, 0, 1, 2, 3, 127)));
    const histogram = distribution.histogram(2, 0, 3);
    expect([...(histogram?.counts ?? [])]).toEqual([2, 2]);
    expect(histogram).toMatchObject({ below: 2, above: 1 });
    expect([...(distribution.histogram(1, 2)?.edges ?? [])]).toEqual([2, 127]);
    expect([...(distribution.histogram(1, undefined, 2)?.edges ?? [])]).toEqual([-128, 2]);
  });
});
