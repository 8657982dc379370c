import type { PageApi } from '../../shared/api.ts';
import { LoupeError, throwIfAborted } from '../../shared/errors.ts';

interface Registered {
  readonly file: File;
  readonly size: number;
  readonly lastModified: number;
}

/** Files that were dropped on the page, by the page's own number. Read in place, range by range. */
export interface PageFiles extends PageApi {
  /** Registers a file and returns its number; the same file keeps its number. */
  add(file: File): number;
}

/** Makes the page's file table. */
export const createPageFiles = (): PageFiles => {
  const files = new Map<number, Registered>();
  let lastId = 0;
  return {
    add: (file) => {
      for (const [id, registered] of files) {
        if (registered.file === file) {
          return id;
        }
      }
      lastId += 1;
      files.set(lastId, { file, size: file.size, lastModified: file.lastModified });
      return lastId;
    },
    readPageFile: async ({ fileId, offset, length }, signal) => {
      const registered = files.get(fileId);
      if (registered === undefined) {
        throw new LoupeError('not-found', 'the page no longer holds this file');
      }
      const { file, size, lastModified } = registered;
      if (file.size !== size || file.lastModified !== lastModified) {
        throw new LoupeError('file-changed', `"${file.name}" changed since it was dropped`);
      }
      if (offset > size || length > size - offset) {
        throw new LoupeError('short-read', `"${file.name}" has no ${length} bytes at ${offset}`, {
          offset,
          length,
          size,
        });
      }
      const bytes = await readRange(file, offset, length);
      throwIfAborted(signal, 'reading a dropped file');
      return bytes;
    },
  };
};

const readRange = async (file: File, offset: number, length: number): Promise<Uint8Array> => {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  } catch (cause) {
    // Browsers refuse to read a file whose size or time changed on disk.
    throw new LoupeError(
      'file-changed',
      `"${file.name}" cannot be read any more: it changed or is gone`,
      {},
      { cause },
    );
  }
  if (bytes.byteLength !== length) {
    throw new LoupeError('file-changed', `"${file.name}" is shorter than when it was dropped`);
  }
  return bytes;
};
