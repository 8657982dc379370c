import type { Int } from '../shared/checkpoint-types.ts';

/** 2^64, the first integer a u64 cannot hold. */
const U64_END = 1n << 64n;

/**
 * Product of a shape, left to right as the reference reader multiplies it, or undefined when a step passes 2^64 − 1
 * (FORMATS.md 1.2 row 7: `[2^40, 2^40, 0]` overflows, `[0, 2^40, 2^40]` does not).
 */
export const elementCount = (shape: readonly Int[]): Int | undefined => {
  let product = 1;
  for (let index = 0; index < shape.length; index += 1) {
    const next = product * Number(shape[index]);
    if (!Number.isSafeInteger(next)) {
      return bigElementCount(shape, index, BigInt(product));
    }
    product = next;
  }
  return product;
};

const bigElementCount = (shape: readonly Int[], from: number, start: bigint): Int | undefined => {
  let product = start;
  for (const dimension of shape.slice(from)) {
    product *= BigInt(dimension);
    if (product >= U64_END) {
      return undefined;
    }
  }
  return narrow(product);
};

/** `count` elements of `bits` bits each, in bits; undefined when that passes 2^64 − 1. */
export const bitCount = (count: Int, bits: number): Int | undefined => {
  if (typeof count === 'number' && Number.isSafeInteger(count * bits)) {
    return count * bits;
  }
  const total = BigInt(count) * BigInt(bits);
  return total < U64_END ? narrow(total) : undefined;
};

/** A bigint as a number where that is exact. */
export const narrow = (value: bigint): Int =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value;

/** Exact sum. */
export const addInts = (a: Int, b: Int): Int => {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) {
      return sum;
    }
  }
  return narrow(BigInt(a) + BigInt(b));
};
