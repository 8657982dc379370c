import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys, naturalKey } from '../../../../src/renderer/features/table/natural-key.ts';

const sorted = (...names: readonly string[]): readonly string[] =>
  [...names].sort((a, b) => compareKeys(naturalKey(a), naturalKey(b)));

describe('naturalKey', () => {
  it('puts layers.2 before layers.10', () => {
    expect(sorted('layers.10.w', 'layers.2.w', 'layers.1.w')).toEqual(['layers.1.w', 'layers.2.w', 'layers.10.w']);
  });

  it('keeps a path before what lies under it, and under it before longer names', () => {
    expect(sorted('a-b', 'a.b', 'a', 'ab')).toEqual(['a', 'a.b', 'a-b', 'ab']);
  });

  it('keeps 01 and 1 apart and their folders together', () => {
    expect(sorted('l.01.b', 'l.1.a', 'l.01.a', 'l.1.b')).toEqual(['l.1.a', 'l.1.b', 'l.01.a', 'l.01.b']);
  });

  it('orders any two whole numbers by value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), (a, b) => {
        const expected = a < b ? -1 : a > b ? 1 : 0;
        expect(compareKeys(naturalKey(`x${a}`), naturalKey(`x${b}`))).toBe(expected);
      }),
    );
  });
});
