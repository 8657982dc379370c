import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, readSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OpenFileError } from '../../../src/core/errors.ts';
import { identityOf, openFileError, openRegularFile } from '../../../src/node/sources/regular-file.ts';
import { writeInto } from '../../support/file-sources.ts';
import { skipBecause, skipOnWindows } from '../../support/skip-because.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();

const codeOf = (path: string): string => {
  try {
    closeSync(openRegularFile(path).descriptor);
  } catch (fault) {
    if (fault instanceof OpenFileError) {
      expect(fault.message.startsWith(`${path}: `)).toBe(true);
      return fault.code;
    }
    throw fault;
  }
  return 'opened';
};

describe('what is no file to read is refused at once', () => {
  it('a missing file, a missing folder, a file in the place of a folder, an impossible name', () => {
    const path = writeInto(folders.make(), 'x');
    expect(codeOf(`${path}.missing`)).toBe('not-found');
    expect(codeOf(join(folders.make(), 'no', 'm'))).toBe('not-found');
    expect(['not-found', 'io']).toContain(codeOf(join(path, 'm')));
    expect(['not-found', 'io']).toContain(codeOf('x'.repeat(5000)));
    expect(codeOf('nul\0inside')).toBe('io');
    expect(codeOf('')).toBe('not-found');
  });

  it('a folder', () => {
    expect(['not-a-file', 'not-permitted']).toContain(codeOf(folders.make()));
  });

  it('a folder in between that is there no more', () => {
    const folder = folders.make();
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'a', 'm'), 'x');
    renameSync(join(folder, 'a'), join(folder, 'b'));
    expect(codeOf(join(folder, 'a', 'm'))).toBe('not-found');
    expect(codeOf(join(folder, 'b', 'm'))).toBe('opened');
  });

  it('a pipe nobody writes to: opening it does not wait', (context) => {
    skipOnWindows(context, 'named pipes in folders');
    const path = join(folders.make(), 'pipe');
    execFileSync('mkfifo', [path]);
    expect(codeOf(path)).toBe('not-a-file');
    const link = join(folders.make(), 'model.safetensors');
    symlinkSync(path, link);
    expect(codeOf(link)).toBe('not-a-file');
  });

  it('devices that never end or hold nothing', (context) => {
    skipOnWindows(context, 'device files');
    expect(codeOf('/dev/zero')).toBe('not-a-file');
    expect(codeOf('/dev/null')).toBe('not-a-file');
  });

  it('a socket', async (context) => {
    skipOnWindows(context, 'sockets in folders');
    const path = join(folders.make(), 's');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(codeOf(path)).toBe('not-a-file');
    server.close();
  });

  it('a symlink that leads to itself, and one that leads nowhere', (context) => {
    skipOnWindows(context, 'symlinks for everyone');
    const loop = join(folders.make(), 'loop');
    symlinkSync(loop, loop);
    expect(codeOf(loop)).toBe('not-found');
    const dangling = join(folders.make(), 'dangling');
    symlinkSync(`${dangling}.target`, dangling);
    expect(codeOf(dangling)).toBe('not-found');
  });

  it('a file that may not be read', (context) => {
    skipOnWindows(context, 'permission bits');
    if (process.getuid?.() === 0) {
      skipBecause(context, 'root may read every file');
    }
    const path = writeInto(folders.make(), 'x');
    chmodSync(path, 0);
    expect(codeOf(path)).toBe('not-permitted');
  });
});

describe('a regular file', () => {
  it('opens with its identity, and is read from', () => {
    const path = writeInto(folders.make(), 'hello');
    const { descriptor, identity } = openRegularFile(path);
    const { mtimeNs, ino, dev } = statSync(path, { bigint: true });
    expect(identity).toEqual({ size: 5, modified: mtimeNs, inode: ino, device: dev });
    expect(identityOf(descriptor)).toEqual(identity);
    const target = Buffer.alloc(5);
    expect(readSync(descriptor, target)).toBe(5);
    expect(target.toString()).toBe('hello');
    closeSync(descriptor);
  });
});

describe('errors of the system', () => {
  it.each([
    ['ENOENT', 'not-found', '/m: there is no such file'],
    ['EACCES', 'not-permitted', '/m: reading it is not permitted'],
    ['EPERM', 'not-permitted', '/m: reading it is not permitted'],
    ['EISDIR', 'not-a-file', '/m: it is not a regular file'],
    ['EIO', 'io', '/m: it cannot be opened (EIO happened)'],
    ['ENAMETOOLONG', 'io', '/m: it cannot be opened (ENAMETOOLONG happened)'],
  ])('%s becomes %s', (system, code, message) => {
    const cause = Object.assign(new Error(`${system} happened`), { code: system });
    const error = openFileError('/m', cause);
    expect(error).toMatchObject({ code, message, details: { path: '/m', system } });
    expect(error.cause).toBe(cause);
  });

  it.each(['text', undefined, new Error('plain')])('%s is an error of its own kind', (cause) => {
    expect(openFileError('/m', cause).code).toBe('io');
  });
});
