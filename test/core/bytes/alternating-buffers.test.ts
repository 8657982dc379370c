import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AlternatingBuffers } from '../../../src/core/bytes/alternating-buffers.ts';

it('leaves a piece as it is until the next but one is taken, whatever their lengths', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { minLength: 2 }), (lengths) => {
      const buffers = new AlternatingBuffers();
      let before: Uint8Array = new Uint8Array(0);
      lengths.forEach((length, index) => {
        const piece = buffers.take(length);
        expect(piece.byteLength).toBe(length);
        expect(piece.byteOffset % 8).toBe(0);
        piece.fill(index + 1);
        expect(before.every((byte) => byte === index)).toBe(true);
        before = piece;
      });
    }),
  );
});

it('takes no new memory for pieces of one length', () => {
  const buffers = new AlternatingBuffers();
  const used = new Set(Array.from({ length: 10 }, () => buffers.take(100).buffer));
  expect(used.size).toBe(2);
});
