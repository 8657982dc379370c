import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyBits, keyEdges, orderKeys } from '../../../src/core/distribution/wide-keys.ts';
import type { WideEncoding } from '../../../src/core/distribution/wide-totals.ts';

const rawKey = (encoding: WideEncoding, value: number): number =>
  encoding === 'f64'
    ? (new Uint32Array(Float64Array.of(value).buffer)[1] ?? 0) >>> 13
    : (new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0) >>> 16;

const keyOf = (encoding: WideEncoding, value: number): number => {
  const raw = { keys: Uint32Array.of(rawKey(encoding, value)), counts: Float64Array.of(1) };
  return orderKeys(raw, keyBits(encoding)).keys[0] ?? -1;
};

const FINITE = { noNaN: true, noDefaultInfinity: true } as const;

describe.each([
  ['f32', fc.float(FINITE)],
  ['f64', fc.double(FINITE)],
  ['i32', fc.integer({ min: -(2 ** 24), max: 2 ** 24 })],
] as const)('keys of %s', (encoding, numbers) => {
  test('order as the numbers do', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const [smaller, larger] = a < b ? [a, b] : [b, a];
        expect(keyOf(encoding, smaller)).toBeLessThanOrEqual(keyOf(encoding, larger) + (a === b ? 1 : 0));
      }),
    );
  });

  test('hold the number between their edges, which are close together', () => {
    fc.assert(
      fc.property(numbers, (value) => {
        const { low, high } = keyEdges(encoding)(keyOf(encoding, value));
        expect(low <= value && value <= high).toBe(true);
        const normal = encoding === 'f64' ? 2 ** -1022 : 2 ** -126;
        expect(high - low).toBeLessThan(2 ** -7 * Math.max(Math.abs(value), normal));
      }),
    );
  });
});

test('integers below 256 have a key to themselves', () => {
  const edges = keyEdges('i64');
  for (let value = -255; value < 256; value += 1) {
    if (value !== 0) {
      expect(edges(keyOf('i64', value))).toEqual({ low: value, high: value });
    }
  }
  expect(edges(keyOf('i64', 256))).toEqual({ low: 256, high: 257 });
});

test('reordering keeps each key with its count', () => {
  const raw = { keys: Uint32Array.of(0x3f80, 0x4000, 0xbf80, 0xc000), counts: Float64Array.of(1, 2, 3, 4) };
  const { keys, counts } = orderKeys(raw, 16);
  expect([...keys]).toEqual([0x3fff, 0x407f, 0xbf80, 0xc000]);
  expect([...counts]).toEqual([4, 3, 1, 2]);
});
