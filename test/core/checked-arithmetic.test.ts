import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addInts, bitCount, elementCount, narrow } from '../../src/core/checked-arithmetic.ts';
import type { Int } from '../../src/shared/checkpoint-types.ts';

const U64_END = 2n ** 64n;
const dimension: fc.Arbitrary<Int> = fc.oneof(
  fc.nat({ max: 5 }),
  fc.nat(),
  fc.constantFrom<Int>(0, 1, 2 ** 32, 2 ** 40, Number.MAX_SAFE_INTEGER),
  fc.bigInt({ min: 2n ** 53n, max: U64_END - 1n }),
);

/** Left to right, every step inside 64 bits, as the reference multiplies. */
const naiveCount = (shape: readonly Int[]): bigint | undefined => {
  let product = 1n;
  for (const one of shape) {
    product *= BigInt(one);
    if (product >= U64_END) {
      return undefined;
    }
  }
  return product;
};

const isNarrow = (value: Int): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) : value > 2n ** 53n - 1n || value < -(2n ** 53n - 1n);

describe('the element count of a shape', () => {
  it.each<readonly [readonly Int[], Int | undefined]>([
    [[], 1],
    [[0], 0],
    [[3, 4, 5], 60],
    [[2 ** 40, 2 ** 40, 0], undefined],
    [[0, 2 ** 40, 2 ** 40], 0],
    [[2 ** 40, 0, 2 ** 40], 0],
    [[2 ** 32, 2 ** 32], undefined],
    [[2 ** 32, 2 ** 31], 2n ** 63n],
    [[2n ** 64n - 1n], 2n ** 64n - 1n],
    [[2n ** 64n - 1n, 1], 2n ** 64n - 1n],
    [[2n ** 64n - 1n, 2], undefined],
    [[0, 2n ** 64n - 1n], 0],
    [[2n ** 64n - 1n, 0], 0],
    [[Number.MAX_SAFE_INTEGER, 1, 1], Number.MAX_SAFE_INTEGER],
    [[2n ** 53n, 1], 2n ** 53n],
  ])('[%s] is %s', (shape, count) => {
    expect(elementCount(shape)).toBe(count);
  });

  it('is exact, or undefined at the first step past 2^64 − 1', () => {
    fc.assert(
      fc.property(fc.array(dimension, { maxLength: 6 }), (shape) => {
        const count = elementCount(shape);
        expect(count === undefined ? undefined : BigInt(count)).toBe(naiveCount(shape));
        expect(count === undefined || isNarrow(count)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('bits', () => {
  it('are counted exactly up to 2^64 − 1', () => {
    fc.assert(
      fc.property(dimension, fc.constantFrom(4, 6, 8, 16, 32, 64), (count, bits) => {
        const expected = BigInt(count) * BigInt(bits);
        const total = bitCount(count, bits);
        expect(total === undefined ? undefined : BigInt(total)).toBe(expected < U64_END ? expected : undefined);
      }),
    );
  });

  it.each<readonly [Int, number, Int | undefined]>([
    [2n ** 61n, 8, undefined],
    [2n ** 61n - 1n, 8, 2n ** 64n - 8n],
    [0, 64, 0],
    [3, 6, 18],
  ])('%s elements of %i bits: %s', (count, bits, total) => {
    expect(bitCount(count, bits)).toBe(total);
  });
});

describe('sums', () => {
  it('are exact whatever the parts', () => {
    fc.assert(
      fc.property(dimension, dimension, (a, b) => {
        const sum = addInts(a, b);
        expect(BigInt(sum)).toBe(BigInt(a) + BigInt(b));
        expect(isNarrow(sum)).toBe(true);
      }),
    );
  });
});

describe('narrowing', () => {
  it.each<readonly [bigint, Int]>([
    [0n, 0],
    [2n ** 53n - 1n, 2 ** 53 - 1],
    [2n ** 53n, 2n ** 53n],
    [-(2n ** 53n) + 1n, -(2 ** 53) + 1],
    [-(2n ** 53n), -(2n ** 53n)],
  ])('%s', (value, narrowed) => {
    expect(narrow(value)).toBe(narrowed);
  });
});
