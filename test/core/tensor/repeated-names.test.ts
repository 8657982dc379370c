import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedNames } from '../../../src/core/tensor/repeated-names.ts';

const packed = (names: readonly string[]): readonly [Uint8Array, Uint32Array] => {
  const parts = names.map((name) => new TextEncoder().encode(name));
  let end = 0;
  return [Buffer.concat(parts), Uint32Array.from(parts, ({ length }) => (end += length))];
};

describe('repeatedNames', () => {
  it('finds rows of one name, in file order', () => {
    expect(repeatedNames(...packed(['b', 'a', 'c', 'a', 'b', 'b', '']))).toEqual([
      [0, 4, 5],
      [1, 3],
    ]);
    expect(repeatedNames(...packed([]))).toEqual([]);
    expect(repeatedNames(...packed(['', '']))).toEqual([[0, 1]]);
  });

  it('agrees with a map of strings for any names', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { maxLength: 200 }), (names) => {
        const rows = new Map<string, number[]>();
        names.forEach((name, id) => {
          rows.set(name, [...(rows.get(name) ?? []), id]);
        });
        expect(repeatedNames(...packed(names))).toEqual([...rows.values()].filter(({ length }) => length > 1));
      }),
    );
  });

  it('is not slowed down by names that were made to collide', () => {
    // FNV-1a has pairs of equal hash; strings of such blocks all collide. This pair was found by search.
    const hash = (text: string): number =>
      Array.from(text, (letter) => letter.charCodeAt(0)).reduce(
        (h, byte) => Math.imul(h ^ byte, 0x01000193),
        0x811c9dc5,
      ) >>> 0;
    const seen = new Map<number, string>();
    let pair: readonly [string, string] | undefined;
    for (let n = 0; pair === undefined; n += 1) {
      const text = n.toString(36).padStart(6, '0');
      const other = seen.get(hash(text));
      pair = other === undefined ? undefined : [other, text];
      seen.set(hash(text), text);
    }
    const [a, b] = pair;
    expect(hash(`${a}x`)).toBe(hash(`${b}x`));
    // Equal prefixes of equal hash: every suffix collides pairwise, and the answer is still right.
    const names = Array.from({ length: 2000 }, (_, k) => `${k % 2 === 0 ? a : b}${Math.floor(k / 2)}`);
    expect(repeatedNames(...packed([...names, names[7] ?? '']))).toEqual([[7, 2000]]);
  });
});
