import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { OpenFileError } from '../../core/errors.ts';

/** What tells one state of a file from another. Sizes in bytes, times in nanoseconds. */
export interface FileIdentity {
  readonly size: number;
  readonly modified: bigint;
  readonly inode: bigint;
  readonly device: bigint;
}

/** A regular file, open for reading. */
export interface OpenedFile {
  readonly descriptor: number;
  readonly identity: FileIdentity;
}

const CODES: Readonly<Record<string, string>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EISDIR: 'not-a-file',
  ENXIO: 'not-a-file',
  ELOOP: 'not-found',
};

const SENTENCES: Readonly<Record<string, string>> = {
  'not-found': 'there is no such file',
  'not-permitted': 'reading it is not permitted',
  'not-a-file': 'it is not a regular file',
};

/** Node's error of a file operation as one of ours, naming the path. */
export const openFileError = (path: string, cause: unknown): OpenFileError => {
  const system = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const code = CODES[system] ?? 'io';
  const sentence = SENTENCES[code] ?? `it cannot be opened (${cause instanceof Error ? cause.message : system})`;
  return new OpenFileError(code, `${path}: ${sentence}`, { path, system }, { cause });
};

/** The identity of an open file, by its descriptor. */
export const identityOf = (descriptor: number): FileIdentity => {
  const { size, mtimeNs, ino, dev } = fstatSync(descriptor, { bigint: true });
  return { size: Number(size), modified: mtimeNs, inode: ino, device: dev };
};

const kindOf = (descriptor: number): string | undefined => {
  const stats = fstatSync(descriptor);
  if (stats.isFile()) {
    return undefined;
  }
  if (stats.isDirectory()) {
    return 'a folder';
  }
  return stats.isFIFO() ? 'a named pipe' : 'a device or socket';
};

/**
 * Opens a regular file for reading. Pipes, devices, sockets and folders are refused at once: the open never waits for a
 * writer, and what was opened is judged by its descriptor, so a swap of the path in between changes nothing.
 *
 * @throws OpenFileError `not-found`, `not-permitted`, `not-a-file` or `io`.
 */
export const openRegularFile = (path: string): OpenedFile => {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    throw openFileError(path, cause);
  }
  try {
    const kind = kindOf(descriptor);
    if (kind !== undefined) {
      throw new OpenFileError('not-a-file', `${path}: it is ${kind}, not a regular file`, { path, kind });
    }
    return { descriptor, identity: identityOf(descriptor) };
  } catch (fault) {
    closeSync(descriptor);
    throw fault;
  }
};
