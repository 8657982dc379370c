import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byte-source.ts';
import { checkRange, readBytes, readInto } from '../../../src/core/bytes/checked-read.ts';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { OutOfRangeError } from '../../../src/core/errors.ts';

/** Never reads: only ranges are checked against it. */
const sized = (size: number): ByteSource => ({
  name: 'm',
  size,
  read: () => {
    throw new Error('read');
  },
  close: () => undefined,
});

describe('a range', () => {
  it('is accepted exactly when it lies inside the source', () => {
    const number = fc.oneof(
      fc.nat({ max: 30 }),
      fc.constantFrom(-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 53 - 1, 2 ** 31, 2 ** 32),
    );
    fc.assert(
      fc.property(number, number, fc.constantFrom(0, 10, 2 ** 32, 2 ** 53 - 1), (offset, length, size) => {
        const sound = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
        const inside = sound && BigInt(offset) + BigInt(length) <= BigInt(size);
        const check = (): void => checkRange(sized(size), offset, length);
        if (inside) {
          expect(check).not.toThrow();
        } else {
          expect(check).toThrow(OutOfRangeError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('that is refused names what was asked and what there is', () => {
    expect(() => checkRange(sized(10), 8, 3)).toThrow(
      expect.objectContaining({
        code: 'out-of-range',
        message: '3 bytes at offset 8 do not lie inside m, which has 10 bytes',
        details: { source: 'm', offset: 8, length: 3, size: 10 },
      }),
    );
  });

  it('is refused before anything is allocated or read', async () => {
    await expect(readBytes(sized(10), 0, 2 ** 52)).rejects.toThrow(OutOfRangeError);
    expect(() => readInto(sized(10), 5, new Uint8Array(6))).toThrow(OutOfRangeError);
  });
});

describe('reading', () => {
  it('gives exactly those bytes, in a buffer of their own', async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5);
    const read = await readBytes(memorySource(bytes), 1, 3);
    expect(read).toEqual(Uint8Array.of(2, 3, 4));
    expect(read.buffer.byteLength).toBe(3);
    bytes[1] = 99;
    expect(read[0]).toBe(2);
  });

  it('waits for a source that answers later, and passes on what it throws', async () => {
    const later: ByteSource = {
      ...sized(4),
      read: async (offset, target) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (offset > 0) {
          throw new RangeError('gone');
        }
        target.fill(7);
      },
    };
    expect(await readBytes(later, 0, 4)).toEqual(Uint8Array.of(7, 7, 7, 7));
    await expect(readBytes(later, 1, 1)).rejects.toThrow('gone');
  });
});
