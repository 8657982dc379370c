import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestFloat32, nearestFloat64 } from '../../../src/core/dtypes/wide-ints.ts';

const split = (value: bigint): [high: number, low: number] => [Number(value >> 32n), Number(value & 0xffffffffn)];

/** Rounds an integer to `precision` significant bits, ties to even, in integer arithmetic only. */
const round = (value: bigint, precision: number): number => {
  const magnitude = value < 0n ? -value : value;
  const drop = BigInt(Math.max(0, magnitude.toString(2).length - precision));
  const unit = 1n << drop;
  const floor = magnitude / unit;
  const twice = 2n * (magnitude % unit);
  const up = twice > unit || (twice === unit && floor % 2n === 1n);
  const rounded = (floor + (up ? 1n : 0n)) * unit;
  return Number(value < 0n ? -rounded : rounded);
};

/** Integers near where rounding turns: a float32 plus about half a unit of its last place, and plain random ones. */
const awkward = (min: bigint, max: bigint) =>
  fc
    .tuple(fc.bigInt({ min, max }), fc.integer({ min: 0, max: 62 }), fc.integer({ min: -2, max: 2 }))
    .map(
      ([value, bits, nudge]) => ((value >> BigInt(bits)) << BigInt(bits)) + (1n << BigInt(bits)) / 2n + BigInt(nudge),
    )
    .map((value) => (value > max ? max : value < min ? min : value));

describe('64-bit integers as floats', () => {
  test.each([
    ['signed', -(2n ** 63n), 2n ** 63n - 1n],
    ['unsigned', 0n, 2n ** 64n - 1n],
  ])('%s: nearest float32 and f64, ties to even', (_, min, max) => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min, max }), awkward(min, max)), (value) => {
        expect(nearestFloat32(...split(value))).toBe(round(value, 24));
        expect(nearestFloat64(...split(value))).toBe(round(value, 53));
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    // Rounding to f64 first would make a tie of these.
    [2n ** 60n + 2n ** 36n + 1n, 2 ** 60 + 2 ** 37],
    [2n ** 60n + 2n ** 36n, 2 ** 60],
    [2n ** 60n + 2n ** 36n - 1n, 2 ** 60],
    [-(2n ** 60n) - 2n ** 36n - 1n, -(2 ** 60) - 2 ** 37],
    [2n ** 63n - 1n, 2 ** 63],
    [-(2n ** 63n), -(2 ** 63)],
    [0n, 0],
    [-1n, -1],
  ])('%s', (value, expected) => {
    expect(nearestFloat32(...split(value))).toBe(expected);
  });
});
