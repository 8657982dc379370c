import * as fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FileChangedError, OpenFileError } from '../../../src/core/errors.ts';
import { positionedSource } from '../../../src/node/sources/positioned-source.ts';
import { pattern, writeInto } from '../../support/file-sources.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, readSync: vi.fn(real.readSync) };
});

const folders = temporaryFolders();
const keep = closeAfterEach();
afterEach(() => vi.mocked(fs.readSync).mockReset());

/** What the file system answers, by (offset in the buffer, length, position in the file). */
const answerReads = (answer: (at: number, length: number, position: number) => number): void => {
  vi.mocked(fs.readSync).mockImplementation((_descriptor, _buffer, ...rest: readonly unknown[]) => {
    const [at, length, position] = rest.map(Number);
    return answer(at ?? 0, length ?? 0, position ?? 0);
  });
};

describe('reading by position', () => {
  it('over 2 GiB: loops, no read longer than 1 GiB, none left out, none twice', () => {
    const source = keep(positionedSource(writeInto(folders.make(), pattern(100))));
    const reads: [number, number, number][] = [];
    answerReads((at, length, position) => {
      reads.push([at, length, position]);
      // As Linux does: never quite as much as was asked for.
      return Math.min(length, 2 ** 30 - 4096);
    });
    const target = new Uint8Array(2 ** 31 + 2 ** 20);
    source.read(7, target);
    let done = 0;
    for (const [at, length, position] of reads) {
      expect([at, position]).toEqual([done, done + 7]);
      expect(length).toBeLessThanOrEqual(2 ** 30);
      done += Math.min(length, 2 ** 30 - 4096);
    }
    expect(done).toBe(target.byteLength);
    expect(reads.length).toBeGreaterThan(2);
  });

  it('asks again when it got less', async () => {
    const { readSync } = await vi.importActual<typeof import('node:fs')>('node:fs');
    const bytes = pattern(1000);
    const source = keep(positionedSource(writeInto(folders.make(), bytes)));
    vi.mocked(fs.readSync).mockImplementation((descriptor, buffer, ...rest: readonly unknown[]) => {
      const [at, length, position] = rest.map(Number);
      return readSync(descriptor, buffer, at ?? 0, Math.min(length ?? 0, 17), position ?? 0);
    });
    const target = new Uint8Array(500);
    source.read(100, target);
    expect(Buffer.from(target).equals(bytes.subarray(100, 600))).toBe(true);
    expect(fs.readSync).toHaveBeenCalledTimes(Math.ceil(500 / 17));
  });

  it('that ends early says where', () => {
    const source = keep(positionedSource(writeInto(folders.make(), pattern(1000))));
    answerReads((at) => (at === 0 ? 30 : 0));
    expect(() => source.read(100, new Uint8Array(50))).toThrow(FileChangedError);
    expect(() => source.read(100, new Uint8Array(50))).toThrow('m.safetensors ended at byte 130 while it was open');
  });

  it('on a failing disk is an error of ours that names the path', () => {
    const source = keep(positionedSource(writeInto(folders.make(), pattern(1000))));
    vi.mocked(fs.readSync).mockImplementation(() => {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    });
    expect(() => source.read(0, new Uint8Array(5))).toThrow(OpenFileError);
    expect(() => source.read(0, new Uint8Array(5))).toThrow(source.path);
  });
});
