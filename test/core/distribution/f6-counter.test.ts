import { expect, test } from 'vitest';
import { F6Counter } from '../../../src/core/distribution/f6-counter.ts';
import { requireDtype } from '../../../src/core/dtypes/require-dtype.ts';
import { unpackCodes } from '../../../src/core/dtypes/sub-byte.ts';

const info = requireDtype('F6_E2M3');
const BYTES = Uint8Array.from({ length: 3 * 2500 }, (_, index) => (index * index * 31) & 0xff);

test.each(['lsb', 'msb'] as const)('counts the codes of that order: %s', (order) => {
  const counter = new F6Counter(info, order);
  counter.add(BYTES);
  const { keys, counts } = counter.drain();
  const codes = unpackCodes(info, BYTES, 0, 10_000, order);
  const expected = Array.from({ length: 64 }, (_, code) => codes.filter((other) => other === code).length);
  expect([...keys]).toEqual(expected.flatMap((count, code) => (count > 0 ? [code] : [])));
  expect([...counts]).toEqual(expected.filter((count) => count > 0));
});

test('is empty once it is drained or released', () => {
  const counter = new F6Counter(info, 'lsb');
  counter.add(BYTES);
  counter.drain();
  expect(counter.drain().keys).toHaveLength(0);
  counter.add(BYTES);
  counter.release();
  expect(counter.drain().keys).toHaveLength(0);
});
