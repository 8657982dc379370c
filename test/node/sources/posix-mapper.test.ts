import { closeSync, openSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mapping } from '../../../src/node/sources/mapping.ts';
import { posixMapper } from '../../../src/node/sources/posix-mapper.ts';
import { pattern, writeInto } from '../../support/file-sources.ts';
import { skipOnWindows } from '../../support/skip-because.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
beforeEach((context) => skipOnWindows(context, 'mmap'));

const withMapping = (size: number, use: (mapping: Mapping, bytes: Uint8Array) => void): void => {
  const bytes = pattern(size);
  const path = writeInto(folders.make(), bytes);
  const descriptor = openSync(path, 'r');
  try {
    const mapping = posixMapper().map({ descriptor, path }, size);
    if (mapping === undefined) {
      throw new Error('not mapped');
    }
    use(mapping, bytes);
    mapping.unmap();
  } finally {
    closeSync(descriptor);
  }
};

describe('a mapping', () => {
  it('copies any range', () => {
    withMapping(3 * 4096 + 7, (mapping, bytes) => {
      for (const [offset, length] of [
        [0, 1],
        [0, bytes.length],
        [4095, 2],
        [4096, 4096],
        [bytes.length - 1, 1],
        [5, 0],
      ] as const) {
        const target = new Uint8Array(length);
        expect(mapping.copy(offset, target)).toBe(true);
        expect(Buffer.from(target).equals(bytes.subarray(offset, offset + length))).toBe(true);
      }
    });
  });

  it('outlives the descriptor it was made from', () => {
    const path = writeInto(folders.make(), pattern(100));
    const descriptor = openSync(path, 'r');
    const mapping = posixMapper().map({ descriptor, path }, 100);
    closeSync(descriptor);
    const target = new Uint8Array(100);
    expect(mapping?.copy(0, target)).toBe(true);
    expect(target).toEqual(pattern(100));
    mapping?.unmap();
  });

  it('faults safely on Linux of this age', (context) => {
    if (process.platform !== 'linux') {
      context.skip('only Linux knows MADV_POPULATE_READ');
    }
    withMapping(10, (mapping) => expect(mapping.faultsSafely).toBe(true));
  });

  it('of nothing, or of a closed descriptor, is none', () => {
    const path = writeInto(folders.make(), pattern(10));
    expect(posixMapper().map({ descriptor: 9999, path }, 10)).toBeUndefined();
    const descriptor = openSync(path, 'r');
    expect(posixMapper().map({ descriptor, path }, 0)).toBeUndefined();
    closeSync(descriptor);
  });
});
