import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstInvalidUtf8, utf8Text } from '../../../src/core/bytes/utf8.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const isValid = (bytes: Uint8Array): boolean => {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** The longest valid beginning, by asking the decoder again and again. */
const naiveFirstInvalid = (bytes: Uint8Array): number | undefined => {
  if (isValid(bytes)) {
    return undefined;
  }
  for (let length = bytes.length - 1; length > 0; length -= 1) {
    if (isValid(bytes.subarray(0, length))) {
      return length;
    }
  }
  return 0;
};

const pieces = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => [...new TextEncoder().encode(text)]),
  fc.constantFrom(
    [0xc0, 0xaf],
    [0xc1, 0xbf],
    [0xe0, 0x80, 0xaf],
    [0xe0, 0xa0, 0x80],
    [0xed, 0x9f, 0xbf],
    [0xed, 0xa0, 0x80],
    [0xef, 0xbb, 0xbf],
    [0xf0, 0x80, 0x80, 0xaf],
    [0xf0, 0x90, 0x80, 0x80],
    [0xf4, 0x8f, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xff],
    [0x80],
    [0xc3],
    [0xe6, 0x97],
    [0xf0, 0x9f, 0x98],
  ),
  fc.uint8Array({ maxLength: 3 }).map((bytes) => [...bytes]),
);
const mixed = fc.array(pieces, { maxLength: 12 }).map((parts) => Uint8Array.from(parts.flat()));

describe('the first byte that is not UTF-8', () => {
  it('is where the decoder stops', () => {
    fc.assert(
      fc.property(mixed, (bytes) => {
        expect(firstInvalidUtf8(bytes)).toBe(naiveFirstInvalid(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  it('is found for every lead byte with every second byte', () => {
    for (let first = 0x80; first < 256; first += 1) {
      for (let second = 0; second < 256; second += 1) {
        const rest = [0x80, 0x80].slice(0, first < 0xe0 ? 0 : first < 0xf0 ? 1 : 2);
        const bytes = Uint8Array.of(first, second, ...rest);
        if ((firstInvalidUtf8(bytes) === undefined) !== isValid(bytes)) {
          expect([...bytes].map((byte) => byte.toString(16)).join(' ')).toBe('judged as the decoder judges it');
        }
      }
    }
  });

  it.each([
    [[], undefined],
    [[0x61, 0xc3, 0xa9], undefined],
    [[0x61, 0xc3], 1],
    [[0x61, 0x62, 0xff, 0x61], 2],
  ])('%j', (bytes, at) => {
    expect(firstInvalidUtf8(Uint8Array.from(bytes))).toBe(at);
  });
});

describe('the text of bytes', () => {
  it('is the decoder’s, a byte order mark kept', () => {
    fc.assert(
      fc.property(mixed, fc.nat(), fc.nat(), (bytes, a, b) => {
        const [start = 0, end = 0] = [a, b].map((at) => at % (bytes.length + 1)).toSorted((x, y) => x - y);
        const part = bytes.subarray(start, end);
        if (isValid(part)) {
          expect(utf8Text(bytes, start, end)).toBe(decoder.decode(part));
        } else {
          expect(() => utf8Text(bytes, start, end)).toThrow(TypeError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('of every length is whole', () => {
    for (const unit of ['a', 'é', '😀', '\ufeff', '\0']) {
      for (const times of [0, 1, 31, 63, 64, 127, 128, 129, 511, 512, 513, 10_000]) {
        const text = unit.repeat(times);
        const bytes = new TextEncoder().encode(text);
        expect(utf8Text(bytes, 0, bytes.length)).toBe(text);
      }
    }
  });
});
