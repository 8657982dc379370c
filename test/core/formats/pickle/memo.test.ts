import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Memo } from '../../../../src/core/formats/pickle/memo.ts';
import type { PickleNode } from '../../../../src/core/formats/pickle/nodes.ts';

const node = (value: number): PickleNode => ({ kind: 'int', offset: 0, value });

describe('the memo', () => {
  it('holds what a map would, whatever the slots, and counts slots in use', () => {
    const slot = fc.oneof(fc.nat(5), fc.nat(60), fc.constantFrom(2 ** 31, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(fc.array(slot, { maxLength: 80 }), (slots) => {
        const memo = new Memo();
        const expected = new Map<number, PickleNode>();
        for (const [index, at] of slots.entries()) {
          memo.put(at, node(index));
          expected.set(at, node(index));
          expect(memo.size).toBe(expected.size);
        }
        for (const at of [...slots, 0, 3, 61, 2 ** 33]) {
          expect(memo.get(at)).toEqual(expected.get(at));
        }
      }),
    );
  });
});
