import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Utf8Texts } from '../../../src/core/bytes/utf8-texts.ts';

describe('Utf8Texts', () => {
  it('gives the text between any two character boundaries, ASCII or not', () => {
    const words = fc.array(
      fc.oneof(fc.string({ unit: 'binary-ascii', maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 5 })),
    );
    fc.assert(
      fc.property(words, (parts) => {
        const encoded = parts.map((part) => new TextEncoder().encode(part));
        const texts = new Utf8Texts(Buffer.concat(encoded));
        let at = 0;
        encoded.forEach(({ length }, index) => {
          // Twice, since a short text is kept.
          expect(texts.text(at, at + length)).toBe(parts[index]);
          expect(texts.text(at, at + length)).toBe(parts[index]);
          at += length;
        });
      }),
    );
  });

  it('keeps texts of one slot apart', () => {
    const texts = new Utf8Texts(new TextEncoder().encode('axbayb'));
    expect([texts.text(0, 3), texts.text(3, 6), texts.text(0, 3)]).toEqual(['axb', 'ayb', 'axb']);
  });

  it('refuses what is not UTF-8', () => {
    expect(() => new Utf8Texts(Uint8Array.of(0xff))).toThrow(TypeError);
  });
});
