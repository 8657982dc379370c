import { expect, test } from 'vitest';
import { alignedBytes } from '../../../src/core/dtypes/aligned-bytes.ts';

test('leaves aligned bytes where they are', () => {
  const bytes = new Uint8Array(new ArrayBuffer(32), 8, 16);
  expect(alignedBytes(bytes, 8)).toBe(bytes);
});

test('copies the others to where a typed array can look at them', () => {
  const bytes = Uint8Array.from({ length: 19 }, (_, index) => index).subarray(3);
  const aligned = alignedBytes(bytes, 8);
  expect(aligned.byteOffset % 8).toBe(0);
  expect([...aligned]).toEqual([...bytes]);
});
