import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requireDtype } from '../../../src/core/dtypes/require-dtype.ts';
import { requireF6Order, unpackCodes } from '../../../src/core/dtypes/sub-byte.ts';

const F4 = requireDtype('F4');
const F6 = requireDtype('F6_E3M2');

/** Codes of `bits` bits in a row, read off a string of all bits. */
const fromBitString = (bytes: Uint8Array, bits: number, order: 'lsb' | 'msb'): number[] => {
  const digits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'));
  const count = (bytes.length * 8) / bits;
  if (order === 'msb') {
    const all = digits.join('');
    return Array.from({ length: count }, (_, at) => Number.parseInt(all.slice(at * bits, (at + 1) * bits), 2));
  }
  // Last byte first: the whole as one number, whose lowest bits are element 0.
  const all = digits.reverse().join('');
  return Array.from({ length: count }, (_, at) =>
    Number.parseInt(all.slice(all.length - (at + 1) * bits, all.length - at * bits), 2),
  );
};

describe('4-bit codes', () => {
  test('low nibble first', () => {
    expect([...unpackCodes(F4, Uint8Array.of(0x10, 0x32, 0xfe), 0, 6, undefined)]).toEqual([0, 1, 2, 3, 14, 15]);
  });

  test('any first element and any count, odd ones too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(40), fc.nat(40), (bytes, a, b) => {
        const first = a % (bytes.length * 2);
        const count = b % (bytes.length * 2 - first + 1);
        const all = fromBitString(bytes, 4, 'lsb');
        expect([...unpackCodes(F4, bytes, first, count, undefined)]).toEqual(all.slice(first, first + count));
      }),
    );
  });
});

describe('6-bit codes', () => {
  test.each(['lsb', 'msb'] as const)('%s, any first element and any count', (order) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 3, maxLength: 30 }), fc.nat(40), fc.nat(40), (raw, a, b) => {
        const bytes = raw.slice(0, raw.length - (raw.length % 3));
        const all = fromBitString(bytes, 6, order);
        const first = a % all.length;
        const count = b % (all.length - first + 1);
        expect([...unpackCodes(F6, bytes, first, count, order)]).toEqual(all.slice(first, first + count));
      }),
    );
  });

  test('are refused without an order', () => {
    const refusal = expect.objectContaining({ code: 'f6-bit-order', details: { dtype: 'F6_E3M2' } });
    expect(() => unpackCodes(F6, new Uint8Array(3), 0, 4, undefined)).toThrow(refusal);
    expect(() => requireF6Order(F6, undefined)).toThrow(refusal);
    expect(requireF6Order(F6, 'msb')).toBe('msb');
  });

  test('the order means nothing to other dtypes', () => {
    expect(requireF6Order(F4, 'msb')).toBeUndefined();
  });
});
