import { describe, expect, it } from 'vitest';
import { npyHeader, npyName } from '../../../src/core/writing/npy-header.ts';

const text = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes.subarray(10));

describe('npyHeader', () => {
  it.each([
    [[], "{'descr': '<f4', 'fortran_order': False, 'shape': (), }"],
    [[5], "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }"],
    [[2, 3], "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"],
    [[0, 3, 4], "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3, 4), }"],
  ])('of shape %j is what numpy writes', (shape, expected) => {
    const header = npyHeader('<f4', shape);
    expect(Array.from(header.subarray(0, 8))).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
    expect(header.length % 64).toBe(0);
    expect(new DataView(header.buffer).getUint16(8, true)).toBe(header.length - 10);
    expect(text(header).trimEnd()).toBe(expected);
    expect(header.at(-1)).toBe(0x0a);
  });

  it('grows by whole blocks for a shape of many dimensions', () => {
    expect(npyHeader('<f8', new Array<number>(40).fill(1_000_000)).length % 64).toBe(0);
  });
});

describe('npyName', () => {
  it('knows what numpy knows and guesses nothing', () => {
    expect(npyName('F16')).toBe('<f2');
    expect(npyName('C64')).toBe('<c8');
    for (const dtype of ['BF16', 'F8_E4M3', 'F4', 'F6_E2M3', 'F8_E8M0', 'X']) {
      expect(npyName(dtype)).toBeUndefined();
    }
  });
});
