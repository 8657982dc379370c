import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { platform } from 'node:process';
import { LoupeError } from '../../shared/errors.ts';

/** Begins the name of every temporary file this program writes. */
export const TEMPORARY_PREFIX = '.loupe-';

/** Where an atomic write puts its bytes. */
export interface AtomicTarget {
  /** Appends all of `bytes`. */
  write(bytes: Uint8Array): Promise<void>;
}

export interface AtomicOptions {
  /** Replace a file that is already there. */
  readonly overwrite?: boolean;
}

const systemCode = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';

const writeError = (path: string, cause: unknown): LoupeError => {
  const system = systemCode(cause);
  if (system === 'EEXIST') {
    return new LoupeError('file-exists', `${path} exists already; nothing was written`, { path }, { cause });
  }
  const reason = system === 'ENOSPC' ? 'the disk is full' : cause instanceof Error ? cause.message : String(cause);
  return new LoupeError('write-failed', `${path} was not written: ${reason}`, { path, system }, { cause });
};

const append = async (file: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done);
    done += bytesWritten;
  }
};

/** Makes the new name last through a power cut. Windows cannot open folders, and keeps names by itself. */
const flushFolder = async (folder: string): Promise<void> => {
  if (platform === 'win32') {
    return;
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Puts the finished file in its place. Without `overwrite` a hard link does it, which fails when the name is taken; file
 * systems without links get an exclusive placeholder that the rename then replaces.
 */
const place = async (temporary: string, path: string, overwrite: boolean): Promise<void> => {
  if (overwrite) {
    await rename(temporary, path);
    return;
  }
  try {
    await link(temporary, path);
  } catch (fault) {
    if (systemCode(fault) === 'EEXIST') {
      throw fault;
    }
    await (await open(path, 'wx')).close();
    try {
      await rename(temporary, path);
    } catch (failed) {
      await unlink(path).catch(ignoreMissing);
      throw failed;
    }
    return;
  }
  await unlink(temporary);
};

/**
 * Writes a file so that it is there whole or not at all: into a temporary file in the same folder, flushed to the device,
 * then renamed. A failure or a cancel leaves whatever was there before as it was, and no half file.
 *
 * @param fill writes the content; when it throws, nothing is left and its error is passed on.
 * @returns the bytes written.
 * @throws LoupeError `file-exists`, `write-failed`; whatever `fill` throws.
 */
export const writeAtomically = async (
  path: string,
  options: AtomicOptions,
  fill: (target: AtomicTarget) => Promise<void>,
): Promise<number> => {
  const folder = dirname(path);
  const temporary = join(folder, `${TEMPORARY_PREFIX}${randomBytes(8).toString('hex')}.tmp`);
  let file: FileHandle;
  try {
    file = await open(temporary, 'wx');
  } catch (cause) {
    throw writeError(path, cause);
  }
  let written = 0;
  try {
    await fill({
      write: async (bytes) => {
        try {
          await append(file, bytes);
        } catch (cause) {
          throw writeError(path, cause);
        }
        written += bytes.byteLength;
      },
    });
    await file.sync();
    await file.close();
    await place(temporary, path, options.overwrite === true);
    await flushFolder(folder);
    return written;
  } catch (cause) {
    await file.close().catch(ignoreClosed);
    await unlink(temporary).catch(ignoreMissing);
    throw cause instanceof LoupeError ? cause : writeError(path, cause);
  }
};

/** Closing again what is closed is no failure of its own; the first error is the one to report. */
const ignoreClosed = (): undefined => undefined;
/** The temporary file may have been renamed already. */
const ignoreMissing = (): undefined => undefined;
