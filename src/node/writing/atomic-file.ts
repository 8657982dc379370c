import { type FileHandle, mkdir, open, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfAborted } from '../../shared/errors.ts';
import { checkFree, flushFolder, type Move, placeFiles } from './place-files.ts';
import { ignoreFault, writeError } from './system-error.ts';
import { removeLeftovers, temporaryName } from './temporary-names.ts';

export { TEMPORARY_PREFIX } from './temporary-names.ts';

/** Where an atomic write puts its bytes. */
export interface AtomicTarget {
  /** Appends all of `bytes`. */
  write(bytes: Uint8Array): Promise<void>;
}

export interface AtomicOptions {
  /** Replace files that are already there. Links are replaced, never written through. */
  readonly overwrite?: boolean | undefined;
  /** Aborting it ends the write with CancelledError, as if it had never begun. */
  readonly signal?: AbortSignal | undefined;
  /** What is cancelled, for the message. */
  readonly what?: string | undefined;
}

/** A file of several that are written together. */
export interface FileToWrite {
  /** Absolute path. */
  readonly path: string;
  /** Writes the content. */
  readonly fill: (target: AtomicTarget) => Promise<void>;
}

const append = async (file: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done);
    done += bytesWritten;
  }
};

/** Writes one temporary file and flushes it to the device; when that fails it is gone again. @returns the bytes written. */
const writeTemporary = async (
  temporary: string,
  { path, fill }: FileToWrite,
  { signal, what }: AtomicOptions,
): Promise<number> => {
  let file: FileHandle;
  try {
    file = await open(temporary, 'wx');
  } catch (cause) {
    throw writeError(path, cause);
  }
  let written = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    throwIfAborted(signal, what);
    try {
      await append(file, bytes);
    } catch (cause) {
      throw writeError(path, cause);
    }
    written += bytes.byteLength;
  };
  try {
    await fill({ write });
    throwIfAborted(signal, what);
    try {
      await file.sync();
      await file.close();
    } catch (cause) {
      throw writeError(path, cause);
    }
    return written;
  } catch (fault) {
    await file.close().catch(ignoreFault);
    await unlink(temporary).catch(ignoreFault);
    throw fault;
  }
};

/**
 * Writes several files of one folder so that all of them are there whole or none is: each into a temporary file in the same
 * folder, flushed to the device; only when all are finished are they renamed, in order, the last one last. A failure, a full
 * disk or a cancel leaves whatever was there before as it was, and nothing new. Files that earlier processes left behind
 * when they were killed are removed first.
 *
 * @returns the bytes written, file by file.
 * @throws CancelledError; LoupeError `file-exists`, `write-failed`; whatever a `fill` throws.
 */
export const writeFilesAtomically = async (
  files: readonly FileToWrite[],
  options: AtomicOptions = {},
): Promise<number[]> => {
  const { overwrite = false, signal, what } = options;
  const folders = new Set(files.map(({ path }) => dirname(path)));
  for (const folder of folders) {
    await removeLeftovers(folder);
  }
  for (const { path } of files) {
    await checkFree(path, overwrite);
  }
  const moves: Move[] = [];
  const written: number[] = [];
  try {
    for (const file of files) {
      throwIfAborted(signal, what);
      const temporary = join(dirname(file.path), temporaryName());
      written.push(await writeTemporary(temporary, file, options));
      moves.push({ temporary, path: file.path });
    }
    throwIfAborted(signal, what);
    await placeFiles(moves, overwrite);
  } catch (fault) {
    for (const { temporary } of moves) {
      await unlink(temporary).catch(ignoreFault);
    }
    throw fault;
  }
  for (const folder of folders) {
    await flushFolder(folder).catch((cause: unknown) => {
      throw writeError(folder, cause);
    });
  }
  return written;
};

/**
 * Writes a file so that it is there whole or not at all (see {@link writeFilesAtomically}).
 *
 * @param fill writes the content; when it throws, nothing is left and its error is passed on.
 * @returns the bytes written.
 * @throws CancelledError; LoupeError `file-exists`, `write-failed`; whatever `fill` throws.
 */
export const writeAtomically = async (
  path: string,
  options: AtomicOptions,
  fill: (target: AtomicTarget) => Promise<void>,
): Promise<number> => {
  const [written = 0] = await writeFilesAtomically([{ path, fill }], options);
  return written;
};

/**
 * Does work that needs a folder, making it and those above it where they are missing; when the work fails, the folders that
 * were made are taken away again unless something is in them.
 *
 * @throws LoupeError `write-failed`; whatever `work` throws.
 */
export const withFolder = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  let made: string | undefined;
  try {
    made = await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw writeError(folder, cause);
  }
  try {
    return await work();
  } catch (fault) {
    for (let at = folder; made !== undefined && at.length >= made.length; at = dirname(at)) {
      await rmdir(at).catch(ignoreFault);
    }
    throw fault;
  }
};
