import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { platform } from 'node:process';
import { fileExists, ignoreFault, systemCode, writeError } from './system-error.ts';
import { temporaryName } from './temporary-names.ts';

/** A finished temporary file and where it goes; both in one folder. */
export interface Move {
  readonly temporary: string;
  readonly path: string;
}

/** Makes the new names last through a power cut. Windows cannot open folders, and keeps names by itself. */
export const flushFolder = async (folder: string): Promise<void> => {
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
 * Refuses a path that is taken before anything is written: by a folder, or, unless files are replaced, by anything at all,
 * a link that leads nowhere included.
 *
 * @throws LoupeError `file-exists`, `write-failed`.
 */
export const checkFree = async (path: string, overwrite: boolean): Promise<void> => {
  const there = await lstat(path).catch((fault: unknown) => {
    if (systemCode(fault) === 'ENOENT') {
      return undefined;
    }
    throw writeError(path, fault);
  });
  if (there?.isDirectory() === true) {
    throw writeError(path, new Error('there is a folder of that name'));
  }
  if (there !== undefined && !overwrite) {
    throw fileExists(path);
  }
};

/**
 * Takes a name that must be free. A hard link does it, which fails when the name is taken; file systems without links get
 * an exclusive placeholder that the rename then replaces.
 */
const takeName = async ({ temporary, path }: Move): Promise<void> => {
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
      await unlink(path).catch(ignoreFault);
      throw failed;
    }
    return;
  }
  await unlink(temporary);
};

/** Where the file that was at a path is kept until all are in place; undefined when there was none. */
const setAside = async (path: string, remove: boolean): Promise<string | undefined> => {
  const there = await lstat(path).catch(ignoreFault);
  if (there === undefined) {
    return undefined;
  }
  if (there.isDirectory()) {
    throw new Error('there is a folder of that name');
  }
  const backup = join(dirname(path), temporaryName('old'));
  // Links are moved, not linked to: some systems would link to what they lead to.
  const linked =
    there.isFile() &&
    !remove &&
    (await link(path, backup).then(
      () => true,
      () => false,
    ));
  if (!linked) {
    await rename(path, backup);
  }
  return backup;
};

/** Puts back what was set aside. When both names are the same file still, renaming does nothing, so the backup goes too. */
const putBack = async (path: string, backup: string | undefined): Promise<void> => {
  if (backup === undefined) {
    await unlink(path).catch(ignoreFault);
    return;
  }
  await rename(backup, path);
  await unlink(backup).catch(ignoreFault);
};

const undo = async (steps: readonly (() => Promise<void>)[]): Promise<void> => {
  for (const step of steps.toReversed()) {
    await step().catch(ignoreFault);
  }
};

/**
 * Puts several finished files in their places, in order; when one cannot be, those before it are taken away again and the
 * files that were there are put back. The last one says what the others are (an index, a manifest): an old one is taken
 * away before any other file changes, so that a crash in between never leaves it standing over files it does not describe.
 *
 * @throws LoupeError `file-exists`, `write-failed`.
 */
export const placeFiles = async (moves: readonly Move[], overwrite: boolean): Promise<void> => {
  const [only] = moves;
  const last = moves.at(-1);
  if (overwrite && only !== undefined && moves.length === 1) {
    await rename(only.temporary, only.path).catch((cause: unknown) => {
      throw writeError(only.path, cause);
    });
    return;
  }
  const steps: (() => Promise<void>)[] = [];
  const backups: string[] = [];
  const aside = async (path: string, remove: boolean): Promise<void> => {
    const backup = await setAside(path, remove);
    if (backup !== undefined) {
      backups.push(backup);
      steps.push(() => putBack(path, backup));
    }
  };
  let path = last?.path ?? '';
  try {
    if (overwrite && last !== undefined) {
      await aside(last.path, true);
    }
    for (const move of moves) {
      path = move.path;
      if (overwrite) {
        const kept = backups.length;
        await aside(path, false);
        await rename(move.temporary, path);
        if (backups.length === kept) {
          steps.push(() => putBack(move.path, undefined));
        }
      } else {
        await takeName(move);
        steps.push(() => putBack(move.path, undefined));
      }
    }
  } catch (cause) {
    await undo(steps);
    throw writeError(path, cause);
  }
  for (const backup of backups) {
    await unlink(backup).catch(ignoreFault);
  }
};
