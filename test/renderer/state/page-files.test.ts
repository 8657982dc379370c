import { describe, expect, it } from 'vitest';
import { createPageFiles } from '../../../src/renderer/state/page-files.ts';

describe('page files', () => {
  const file = new File([Uint8Array.of(1, 2, 3, 4, 5)], 'a.bin');

  it('answers exactly the bytes asked for', async () => {
    const files = createPageFiles();
    const fileId = files.add(file);
    expect([...(await files.readPageFile({ fileId, offset: 1, length: 3 }))]).toEqual([2, 3, 4]);
    expect([...(await files.readPageFile({ fileId, offset: 5, length: 0 }))]).toEqual([]);
  });

  it('keeps a file’s number', () => {
    const files = createPageFiles();
    expect(files.add(file)).toBe(files.add(file));
  });

  it('refuses ranges beyond the end, and unknown files', async () => {
    const files = createPageFiles();
    const fileId = files.add(file);
    await expect(files.readPageFile({ fileId, offset: 3, length: 3 })).rejects.toMatchObject({ code: 'short-read' });
    await expect(files.readPageFile({ fileId: 99, offset: 0, length: 1 })).rejects.toMatchObject({ code: 'not-found' });
  });
});
