import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactChunks, PIECE_BYTES } from '../../../src/core/writing/exact-chunks.ts';

const collect = async (length: number, chunks: Iterable<Uint8Array>): Promise<Uint8Array[]> => {
  const parts: Uint8Array[] = [];
  for await (const part of exactChunks('w', length, chunks)) {
    parts.push(part);
  }
  return parts;
};

describe('exactChunks', () => {
  it('passes on the same bytes, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 9 }), async (chunks) => {
        const whole = Buffer.concat(chunks);
        expect(Buffer.concat(await collect(whole.length, chunks)).equals(whole)).toBe(true);
      }),
    );
  });

  it('cuts what is large, so that nothing holds up the caller for long', async () => {
    const parts = await collect(PIECE_BYTES * 2 + 5, [new Uint8Array(PIECE_BYTES * 2 + 5)]);
    expect(parts.map(({ byteLength }) => byteLength)).toEqual([PIECE_BYTES, PIECE_BYTES, 5]);
  });

  it('refuses too few and too many bytes, and passes on none too many', async () => {
    await expect(collect(4, [new Uint8Array(3)])).rejects.toMatchObject({
      code: 'size-mismatch',
      message: expect.stringContaining('1 bytes fewer'),
    });
    await expect(collect(1, [])).rejects.toMatchObject({ code: 'size-mismatch' });
    const passed: number[] = [];
    const greedy = async (): Promise<void> => {
      for await (const part of exactChunks('w', 4, [new Uint8Array(4), new Uint8Array(1)])) {
        passed.push(part.byteLength);
      }
    };
    await expect(greedy()).rejects.toMatchObject({ code: 'size-mismatch', message: expect.stringContaining('more') });
    expect(passed).toEqual([4]);
  });
});
