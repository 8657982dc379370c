import { describe, expect, it } from 'vitest';
import { readBytes } from '../../src/core/bytes/checked-read.ts';
import { pageSource } from '../../src/node/page-source.ts';

const MIB = 1024 * 1024;

describe('pageSource', () => {
  it('asks the page for bounded ranges, exactly those needed', async () => {
    const asked: { fileId: number; offset: number; length: number }[] = [];
    const page = {
      readPageFile: async ({ fileId, offset, length }: { fileId: number; offset: number; length: number }) => {
        asked.push({ fileId, offset, length });
        return new Uint8Array(length).fill(offset / MIB);
      },
    };
    const source = pageSource(page, { fileId: 3, name: 'f', size: 10 * MIB });
    const bytes = await readBytes(source, MIB, 9 * MIB);
    expect(asked).toEqual([
      { fileId: 3, offset: MIB, length: 4 * MIB },
      { fileId: 3, offset: 5 * MIB, length: 4 * MIB },
      { fileId: 3, offset: 9 * MIB, length: MIB },
    ]);
    expect([bytes[0], bytes[4 * MIB], bytes[8 * MIB]]).toEqual([1, 5, 9]);
  });

  it('takes a short answer for a changed file, never for zeros', async () => {
    const page = { readPageFile: async () => new Uint8Array(3) };
    const source = pageSource(page, { fileId: 0, name: 'f', size: 100 });
    await expect(readBytes(source, 0, 8)).rejects.toMatchObject({ code: 'file-changed' });
  });

  it('refuses ranges outside the file, and everything once closed', async () => {
    const page = { readPageFile: async ({ length }: { length: number }) => new Uint8Array(length) };
    const source = pageSource(page, { fileId: 0, name: 'f', size: 100 });
    await expect(readBytes(source, 96, 8)).rejects.toMatchObject({ code: 'out-of-range' });
    source.close();
    await expect(readBytes(source, 0, 8)).rejects.toMatchObject({ code: 'closed' });
  });
});
