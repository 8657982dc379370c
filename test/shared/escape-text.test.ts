import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elideMiddle, escapeText } from '../../src/shared/escape-text.ts';

/** Undoes escapes, as a reader would who knows the rule. */
const readBack = (shown: string): string =>
  shown.replace(/\\(?:u\{([0-9a-f]+)\}|([nrt\\]))/g, (_whole, code: string | undefined, letter: string | undefined) =>
    code === undefined
      ? letter === 'n'
        ? '\n'
        : letter === 'r'
          ? '\r'
          : letter === 't'
            ? '\t'
            : '\\'
      : String.fromCodePoint(Number.parseInt(code, 16)),
  );

describe('text from a file', () => {
  it.each([
    'model.layers.0.self_attn.q_proj.weight',
    'größer 日本語 שלום 😀',
    'C:\\Xmodel\\data',
    'e\u0301 a\u0300\u0301\u0302\u0303',
    '',
    'two  spaces',
  ])('%j stays as it is', (text) => {
    expect(escapeText(text)).toBe(text);
  });

  it.each([
    ['a\nb', 'a\\nb'],
    ['a\rb\tc', 'a\\rb\\tc'],
    ['\u001b]8;;http://x\u0007y', '\\u{1b}]8;;http://x\\u{07}y'],
    ['\u001b[2J', '\\u{1b}[2J'],
    ['nul\0', 'nul\\u{00}'],
    ['\u007f\u0085\u009b', '\\u{7f}\\u{85}\\u{9b}'],
    ['\u202eabc\u2066', '\\u{202e}abc\\u{2066}'],
    ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['line\u2028\u2029', 'line\\u{2028}\\u{2029}'],
    ['no\u00a0break\u3000', 'no\\u{a0}break\\u{3000}'],
    ['filler\u3164\u115f\uffa0', 'filler\\u{3164}\\u{115f}\\u{ffa0}'],
    ['variant\ufe0f\u034f\u{e0100}', 'variant\\u{fe0f}\\u{34f}\\u{e0100}'],
    ['blank\u2800', 'blank\\u{2800}'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['private\ue000\u{10ffff}', 'private\\u{e000}\\u{10ffff}'],
    ['half \ud800 \udc00', 'half \\u{d800} \\u{dc00}'],
    ['C:\\data\n', 'C:\\\\data\\n'],
    ['C:\\new', 'C:\\\\new'],
    ['literal \\u{1b}', 'literal \\\\u{1b}'],
  ])('%j is shown as %s', (text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });

  it('long runs of combining marks are escaped after the fourth', () => {
    const shown = escapeText(`m${'\u0301'.repeat(10_000)}`);
    expect(shown.startsWith('m\u0301\u0301\u0301\u0301\\u{301}\\u{301}')).toBe(true);
    expect(shown.match(/\u0301/g)).toHaveLength(4);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '\\',
          'n',
          'u',
          '{',
          '1',
          'b',
          '}',
          '\u001b',
          '\n',
          'a',
          ' ',
          '\u200b',
          '\u0301',
          '\ud800',
          '\u00a0',
        ),
      )
      .map((parts) => parts.join('')),
  );

  it('holds nothing hidden any more', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(escapeText(value)).not.toMatch(/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('can be told back: no two texts look alike', () => {
    fc.assert(
      fc.property(text, (value) => {
        const shown = escapeText(value);
        // Text that stayed as it was holds nothing that reads like an escape.
        expect(readBack(shown)).toBe(value);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('eliding', () => {
  it.each([
    ['abcdefghij', 10, 'abcdefghij'],
    ['abcdefghij', 9, 'abc…fghij'],
    ['abcdefghij', 1, '…'],
    ['abcdefghij', 2, '…j'],
    ['😀😀😀', 3, '😀😀😀'],
    ['😀😀😀😀', 3, '…😀😀'],
    ['😀a😀b😀c', 4, '😀…😀c'],
  ])('%j to %i: %j', (text, length, shown) => {
    expect(elideMiddle(text, length)).toBe(shown);
  });

  it('keeps whole characters of head and tail, and the length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-composite', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, length) => {
          const shown = elideMiddle(text, length);
          const characters = Array.from(text);
          if (characters.length <= length) {
            expect(shown).toBe(text);
            return;
          }
          expect(Array.from(shown)).toHaveLength(length);
          const [head = '', tail = ''] = shown.split('…').length === 2 ? shown.split('…') : [];
          expect(characters.slice(0, Array.from(head).length).join('')).toBe(head);
          expect(characters.slice(characters.length - Array.from(tail).length).join('')).toBe(tail);
        },
      ),
    );
  });

  it('of millions of characters takes no more than the ends', () => {
    const text = `${'a'.repeat(50_000_000)}z`;
    for (let round = 0; round < 10_000; round += 1) {
      expect(elideMiddle(text, 5)).toBe('a…aaz');
    }
  });
});
