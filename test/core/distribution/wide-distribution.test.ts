import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { requireDtype } from '../../../src/core/dtypes/require-dtype.ts';
import { QUANTILES, type TensorStats } from '../../../src/shared/checkpoint-types.ts';
import { isNearestMean, isStd, referenceCounts, referenceOf, referenceQuantile } from './support/reference.ts';
import { bytesOf, seededRandom } from './support/windows.ts';

const summarise = (dtype: string, array: ArrayBufferView, bins?: number): TensorStats => {
  const distribution = newDistribution(dtype);
  distribution.add(bytesOf(array));
  return distribution.summarise('t', bins);
};

const SIGNALLING = 0x7f800001;
const floatBits = fc.oneof(
  fc.nat(0xffffffff),
  fc.constantFrom(0, 0x80000000, 1, 0x80000001, 0x7f7fffff, 0x7f800000, 0xff800000, SIGNALLING, 0x0000ffff, 0x00010000),
  // Weights: exponents near one.
  fc.integer({ min: 0x3c000000, max: 0x3f800000 }),
);
const doubles = fc.oneof(
  fc.double(),
  fc.constantFrom(1e16, 1, -1e16, 1e308, -1e308, 5e-324, -5e-324, 2 ** -1022, -0, 0, 1.5, 1e-300),
);
const signed = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 0n, -1n, 2n ** 32n, -(2n ** 32n) - 1n),
);
const unsigned = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0n, max: 300n }),
  fc.constantFrom(2n ** 64n - 1n, 2n ** 63n, 0n, 1n),
);
const arrays = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 40 });

const CASES: readonly (readonly [dtype: string, fc.Arbitrary<ArrayBufferView>])[] = [
  ['F32', arrays(floatBits).map((bits) => Uint32Array.from(bits))],
  ['C64', arrays(floatBits).map((bits) => Uint32Array.from([...bits, ...bits.slice(0, bits.length % 2)]))],
  ['F64', arrays(doubles).map((values) => Float64Array.from(values))],
  ['I32', arrays(signed).map((values) => Int32Array.from(values, (value) => Number(BigInt.asIntN(32, value))))],
  ['U32', arrays(unsigned).map((values) => Uint32Array.from(values, (value) => Number(BigInt.asUintN(32, value))))],
  ['I64', arrays(signed).map((values) => BigInt64Array.from(values))],
  ['U64', arrays(unsigned).map((values) => BigUint64Array.from(values))],
];

const bytesPerElement = (dtype: string): number => requireDtype(dtype).bits / 8;

/** A bigint only where a number would not be exact; −0 counts as 0. */
const int = (value: number | bigint): number | bigint =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value))
    ? Number(value)
    : typeof value === 'bigint'
      ? value
      : value + 0;

/** How far apart keys of subnormals are, however small these get. */
const subnormalStep = (dtype: string): number => (dtype === 'F64' ? 2 ** -1029 : 2 ** -133);

describe.each(CASES)('%s', (dtype, tensors) => {
  test('every statistic is that of a naive reference', () => {
    fc.assert(
      fc.property(tensors, fc.integer({ min: 1, max: 9 }), (array, bins) => {
        const bytes = bytesOf(array);
        const reference = referenceOf(dtype, bytes, bytes.length / bytesPerElement(dtype));
        const { finite } = reference;
        const stats = summarise(dtype, array, bins);
        expect(stats).toMatchObject({
          count: reference.count,
          nan: reference.nan,
          posInf: reference.posInf,
          negInf: reference.negInf,
          zeros: reference.zeros,
          negZeros: reference.negZeros,
          distinct: undefined,
          exact: false,
        });
        if (finite.length === 0) {
          expect([stats.min, stats.max, stats.mean, stats.std, stats.quantiles, stats.histogram]).toEqual(
            new Array(6).fill(undefined),
          );
          return;
        }
        const [min = 0, max = 0] = [finite[0], finite[finite.length - 1]];
        expect([stats.min, stats.max]).toStrictEqual([int(min), int(max)]);
        expect(isNearestMean(stats.mean ?? Number.NaN, finite)).toBe(true);
        expect(isStd(stats.std ?? Number.NaN, finite)).toBe(true);
        const sorted = finite.map(Number);
        QUANTILES.forEach((fraction, index) => {
          const exact = referenceQuantile(sorted, fraction);
          if (Number.isFinite(exact)) {
            const error = Math.abs((stats.quantiles?.[index] ?? Number.NaN) - exact);
            expect(error, `${fraction} of ${sorted}`).toBeLessThanOrEqual(
              Math.max(2 ** -8 * Math.abs(exact), subnormalStep(dtype)),
            );
          }
        });
        const { counts, below, above, exact } = stats.histogram ?? expect.fail('no histogram');
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(finite.length);
        expect(counts.every((count) => count >= 0 && Number.isInteger(count))).toBe(true);
        expect([below, above, exact]).toEqual([0, 0, false]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('sums that cancel', () => {
  test.each([
    ['F64', Float64Array.of(1e16, 1, -1e16), 1 / 3],
    ['F64', Float64Array.of(1e308, 1e200, 1e100, 1, -1e100, -1e200, -1e308), 1 / 7],
    ['F64', Float64Array.of(1e308, 1e308, 1e308), 1e308],
    ['F64', Float64Array.of(5e-324, 5e-324, -5e-324), 0],
    ['F32', Float32Array.of(3e38, 1e-45, -3e38), Math.fround(1e-45) / 3],
    ['I64', BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n), 1n), 0],
    ['U64', BigUint64Array.of(2n ** 64n - 1n, 2n ** 64n - 1n), 2 ** 64],
  ])('%s: the mean of %s', (dtype, array, mean) => {
    expect(summarise(dtype, array).mean).toBe(mean);
  });

  test('the deviation of large numbers that differ by little', () => {
    const values = Float64Array.of(1e15, 1e15 + 1, 1e15 + 2);
    expect(summarise('F64', values).std).toBe(Math.sqrt(2 / 3));
    expect(summarise('F64', new Float64Array(1000).fill(0.1)).std).toBe(0);
    expect(summarise('F64', Float64Array.of(1e308, -1e308)).std).toBe(1e308);
    expect(summarise('F64', Float64Array.of(5e-324, 15e-324)).std).toBe(5e-324);
    expect(summarise('I64', BigInt64Array.of(2n ** 62n, 2n ** 62n + 2n)).std).toBe(1);
  });
});

describe('64-bit integers stay exact', () => {
  test('FIELD-CASES.md B55', () => {
    const values = BigInt64Array.of(9223372036854775807n, -9223372036854775808n, 9007199254740993n);
    expect(summarise('I64', values)).toMatchObject({
      min: -9223372036854775808n,
      max: 9223372036854775807n,
      mean: 9007199254740992 / 3,
    });
    expect(summarise('U64', BigUint64Array.of(2n ** 64n - 1n))).toMatchObject({ min: 2n ** 64n - 1n, std: 0 });
  });

  test('and are numbers as far as numbers are exact', () => {
    expect(summarise('I64', BigInt64Array.of(-5n, 9007199254740991n))).toMatchObject({
      min: -5,
      max: 9007199254740991,
    });
    expect(summarise('I64', BigInt64Array.of(9007199254740992n)).max).toBe(9007199254740992n);
  });
});

describe('what is counted', () => {
  test('FIELD-CASES.md B55: F32', () => {
    const stats = summarise('F32', Float32Array.of(1, Number.NaN, Infinity, -Infinity, -0, 1e-45, 3.4e38, 0.1));
    expect(stats).toMatchObject({
      count: 8,
      nan: 1,
      posInf: 1,
      negInf: 1,
      zeros: 1,
      negZeros: 1,
      subnormals: 1,
      min: 0,
      max: Math.fround(3.4e38),
    });
  });

  test.each([
    ['F32', Uint32Array.of(1, 0x0000ffff, 0x00010000, 0x807fffff, 0x00800000, 0, 0x80000000, SIGNALLING), 4],
    ['F64', BigUint64Array.of(1n, 0x800fffffffffffffn, 0x0010000000000000n, 0n, 1n << 63n), 2],
    ['I64', BigInt64Array.of(1n, 0n), 0],
  ])('subnormals of %s', (dtype, array, subnormals) => {
    expect(summarise(dtype, array).subnormals).toBe(subnormals);
  });

  test('C64 is its parts, twice as many as elements', () => {
    expect(summarise('C64', Float32Array.of(1, -2, 3, Number.NaN))).toMatchObject({
      count: 4,
      nan: 1,
      min: -2,
      max: 3,
    });
  });

  test('nothing', () => {
    expect(summarise('F32', new Float32Array())).toMatchObject({
      count: 0,
      min: undefined,
      mean: undefined,
      exact: false,
    });
    expect(newDistribution('I64').histogram(5)).toBeUndefined();
    expect(newDistribution('I64').boolOutOfRange).toBe(0);
  });
});

describe('a large tensor', () => {
  const random = seededRandom(7);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const values = Float32Array.from({ length: 600_000 }, () => gauss() * 0.02);
  const sorted = Array.from(values.slice().sort());
  const stats = summarise('F32', values, 64);

  test('quantiles are within 2^-8', () => {
    QUANTILES.forEach((fraction, index) => {
      const exact = referenceQuantile(sorted, fraction);
      expect(Math.abs((stats.quantiles?.[index] ?? 0) - exact)).toBeLessThanOrEqual(2 ** -8 * Math.abs(exact));
    });
  });

  test('the histogram is close to the exact one', () => {
    const { edges, counts } = stats.histogram ?? expect.fail('no histogram');
    const exact = referenceCounts(sorted, edges);
    const misplaced = exact.reduce((sum, count, bin) => sum + Math.abs(count - (counts[bin] ?? 0)), 0);
    expect(misplaced / 2 / values.length).toBeLessThan(0.005);
  });

  test('a histogram over a part of the range', () => {
    const distribution = newDistribution('F32');
    distribution.add(bytesOf(values));
    const histogram = distribution.histogram(10, 0, 0.01) ?? expect.fail('no histogram');
    const inside = histogram.counts.reduce((sum, count) => sum + count, 0);
    expect(histogram.below + inside + histogram.above).toBe(values.length);
    // Zero is an edge of a key: nothing is interpolated there.
    expect(histogram.below).toBe(sorted.findIndex((value) => value >= 0));
  });
});

test('a constant tensor has its value everywhere and one bin', () => {
  const stats = summarise('F32', new Float32Array(5000).fill(1.2345), 4);
  const value = Math.fround(1.2345);
  expect(stats).toMatchObject({ min: value, max: value, mean: value, std: 0 });
  expect(stats.quantiles).toEqual(QUANTILES.map(() => value));
  expect([...(stats.histogram?.counts ?? [])]).toEqual([0, 0, 5000, 0]);
});

test('small integers have exact quantiles and histogram', () => {
  const values = BigInt64Array.from({ length: 1000 }, (_, index) => BigInt((index * 7919) % 256) - 100n);
  const sorted = Array.from(values, Number).sort((a, b) => a - b);
  const stats = summarise('I64', values, 10);
  expect(stats.quantiles).toEqual(QUANTILES.map((fraction) => referenceQuantile(sorted, fraction)));
  expect([...(stats.histogram?.counts ?? [])]).toEqual(
    referenceCounts(sorted, stats.histogram?.edges ?? new Float64Array()),
  );
});
