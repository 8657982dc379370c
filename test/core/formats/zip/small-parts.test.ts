import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { crc32 } from '../../../../src/core/formats/zip/crc32.ts';
import { nameKey, nameText, unsafeNameReason } from '../../../../src/core/formats/zip/member-name.ts';
import { regionSource } from '../../../../src/core/formats/zip/region-source.ts';
import { slowCrc } from '../../../support/zip-bytes.ts';

describe('CRC-32', () => {
  it('has the check value of its definition', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array())).toBe(0);
  });

  it('is that of the bits, wherever the bytes begin and in however many parts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), fc.nat(), (bytes, from, cut) => {
        const part = bytes.subarray(from % (bytes.length + 1));
        const at = cut % (part.length + 1);
        expect(crc32(part)).toBe(slowCrc(part));
        expect(crc32(part.subarray(at), crc32(part.subarray(0, at)))).toBe(slowCrc(part));
      }),
    );
  });
});

describe('names', () => {
  it('are UTF-8, or else code page 437', () => {
    expect(nameText(Uint8Array.of(0x61, 0xc3, 0xa9))).toEqual({ text: 'aé', isUtf8: true });
    expect(nameText(Uint8Array.of(0x61, 0x81, 0xe1, 0xff))).toEqual({ text: 'aüß\u00a0', isUtf8: false });
    const high = Uint8Array.from({ length: 128 }, (_, index) => index + 128);
    expect(new Set(nameText(high).text).size).toBe(128);
  });

  it('are told apart or not', () => {
    expect(nameKey('A\\b\0c')).toBe(nameKey('a/B'));
    expect(nameKey('a/b')).not.toBe(nameKey('a/bc'));
    expect(unsafeNameReason('a/b')).toBeUndefined();
    expect(unsafeNameReason('..')).toMatch(/leads out/);
  });
});

describe('a region of a source', () => {
  it('has its own offsets and leaves the whole open', async () => {
    const whole = memorySource(Uint8Array.of(0, 1, 2, 3, 4, 5));
    const region = regionSource(whole, { begin: 2, end: 5 });
    const target = new Uint8Array(2);
    region.close();
    await region.read(1, target);
    expect([region.size, [...target]]).toEqual([3, [3, 4]]);
    expect(() => regionSource(whole, { begin: 2, end: 7 })).toThrow(/do not lie inside/);
    expect(() => regionSource(whole, { begin: 3, end: 2 })).toThrow(/do not lie inside/);
  });
});
