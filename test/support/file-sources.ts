import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSource } from '../../src/node/sources/file-source.ts';
import { mappedSource } from '../../src/node/sources/mapped-source.ts';
import { positionedSource } from '../../src/node/sources/positioned-source.ts';
import { posixMapper } from '../../src/node/sources/posix-mapper.ts';

/** The ways to reach a file's bytes on this system. */
export const ACCESS_KINDS: readonly FileSource['access'][] =
  process.platform === 'win32' ? ['positioned'] : ['mapped', 'positioned'];

/** Opens a file in one of these ways. */
export const openAs = (access: FileSource['access'], path: string): FileSource => {
  if (access === 'positioned') {
    return positionedSource(path);
  }
  const source = mappedSource(path, posixMapper());
  if (source === undefined) {
    throw new Error('the file was not mapped');
  }
  return source;
};

/** Bytes that tell their place, none of them 0. */
export const pattern = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) {
    bytes[index] = (Math.imul(index + 1, 2654435761) >>> 23) | 1;
  }
  return bytes;
};

/** Writes a file into a folder; returns its path. */
export const writeInto = (folder: string, bytes: Uint8Array | string, name = 'm.safetensors'): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
