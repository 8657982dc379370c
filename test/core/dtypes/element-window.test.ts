import { describe, expect, test } from 'vitest';
import { elementWindow } from '../../../src/core/dtypes/element-window.ts';

const bytes = Uint8Array.from({ length: 25 }, (_, index) => index);

describe('elementWindow', () => {
  test('cuts the elements asked for, aligned', () => {
    const window = elementWindow('F32', bytes.subarray(1), 2, { firstElement: 1 });
    expect([...window.bytes]).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(window.bytes.byteOffset % 4).toBe(0);
    expect(window.length).toBe(2);
  });

  test('C64 is two numbers an element', () => {
    const window = elementWindow('C64', bytes, 1, { firstElement: 2 });
    expect([...window.bytes]).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
    expect(window.length).toBe(2);
  });

  test('unpacks codes of less than a byte', () => {
    expect([...elementWindow('F4', bytes.subarray(0x12), 3, { firstElement: 1 }).bytes]).toEqual([1, 3, 1]);
  });

  test.each([
    ['F32', 7, 0],
    ['F32', 6, 1],
    ['F4', 51, 0],
    ['F4', 50, 1],
    ['F6_E2M3', 34, 0],
    ['C64', 4, 0],
  ])('%s: %i elements from %i on are more than 25 bytes hold', (dtype, count, firstElement) => {
    expect(() => elementWindow(dtype, bytes, count, { firstElement, f6Order: 'lsb' })).toThrow(
      expect.objectContaining({ code: 'bytes-too-short' }),
    );
    expect(() => elementWindow(dtype, bytes, count - 1, { firstElement, f6Order: 'lsb' })).not.toThrow();
  });

  test('unknown dtype', () => {
    expect(() => elementWindow('F31', bytes, 1)).toThrow(expect.objectContaining({ code: 'unknown-dtype' }));
  });
});
