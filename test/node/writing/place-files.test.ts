import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeAtomically } from '../../../src/node/writing/atomic-file.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, link: vi.fn(real.link), rename: vi.fn(real.rename) };
});

const folders = temporaryFolders();
afterEach(() => {
  vi.mocked(fsPromises.link).mockReset();
  vi.mocked(fsPromises.rename).mockReset();
});

const fault = (code: string): Error => Object.assign(new Error(`${code}: not here`), { code });
const write = (path: string, overwrite = false): Promise<number> =>
  writeAtomically(path, { overwrite }, (target) => target.write(new TextEncoder().encode('new')));

describe('a file system without hard links', () => {
  it('gets the file all the same, and a taken name is still refused', async () => {
    vi.mocked(fsPromises.link).mockRejectedValue(fault('EPERM'));
    const folder = folders.make();
    const path = join(folder, 'm');
    await write(path);
    expect(readFileSync(path, 'utf8')).toBe('new');
    await expect(write(path)).rejects.toMatchObject({ code: 'file-exists' });
    expect(readdirSync(folder)).toEqual(['m']);
  });

  it('is left without a placeholder when the file cannot be put in its place', async () => {
    vi.mocked(fsPromises.link).mockRejectedValue(fault('ENOTSUP'));
    vi.mocked(fsPromises.rename).mockRejectedValue(fault('EIO'));
    const folder = folders.make();
    await expect(write(join(folder, 'm'))).rejects.toMatchObject({ code: 'write-failed' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not have a name taken that somebody else took in between', async () => {
    const folder = folders.make();
    const path = join(folder, 'm');
    vi.mocked(fsPromises.link).mockImplementation(async () => {
      writeFileSync(path, 'theirs');
      throw fault('EPERM');
    });
    await expect(write(path)).rejects.toMatchObject({ code: 'file-exists' });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['m']);
  });
});

it('a rename that fails while overwriting leaves the old file', async () => {
  vi.mocked(fsPromises.rename).mockRejectedValue(fault('EBUSY'));
  const folder = folders.make();
  writeFileSync(join(folder, 'm'), 'old');
  mkdirSync(join(folder, 'other'));
  await expect(write(join(folder, 'm'), true)).rejects.toMatchObject({ code: 'write-failed', message: /EBUSY/ });
  expect(readFileSync(join(folder, 'm'), 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['m', 'other']);
});
