import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8Order } from '../../../src/core/bytes/compare-utf8.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom('a', 'é', '\uffee', '\ue000', '\ud7ff', '😀', '\u{10ffff}')).map((parts) => parts.join('')),
);

it('orders as the bytes of UTF-8 do', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(texts.toSorted(utf8Order(texts))).toEqual(byBytes);
    }),
    { numRuns: 1000 },
  );
});

it('differs from JavaScript’s order beyond the basic plane', () => {
  const names = ['😀', '\uffee'];
  expect(names.toSorted()).toEqual(['😀', '\uffee']);
  expect(names.toSorted(utf8Order(names))).toEqual(['\uffee', '😀']);
});
