import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ignoreFault, systemCode } from './system-error.ts';

/** Begins the name of every temporary file this program writes. */
export const TEMPORARY_PREFIX = '.loupe-';

/** `tmp`: a file being written. `old`: a file that is being replaced together with others. */
type Purpose = 'tmp' | 'old';

/** Tells machines apart that share a folder: process ids of another one mean nothing here. */
const machine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** A new name for a temporary file: `.loupe-MACHINE-PID-RANDOM.tmp`. */
export const temporaryName = (purpose: Purpose = 'tmp'): string =>
  `${TEMPORARY_PREFIX}${machine()}-${process.pid}-${randomBytes(8).toString('hex')}.${purpose}`;

const OURS = /^\.loupe-([0-9a-f]{8})-([1-9]\d{0,9})-[0-9a-f]{16}\.(tmp|old)$/;

/** After this long, in milliseconds, nobody is still writing a file that nobody has touched. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    // EPERM: it is there, but somebody else's.
    return systemCode(fault) !== 'ESRCH';
  }
};

/**
 * Removes temporary files that a process which no longer lives (killed, power cut) left in a folder: plain files of exactly
 * our own naming, written on this machine by a process that is gone, or untouched for a day. Never fails; what cannot be
 * removed stays.
 */
export const removeLeftovers = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const [, where, pid] = OURS.exec(name) ?? [];
    if (pid === undefined || (where === machine() && Number(pid) === process.pid)) {
      continue;
    }
    const path = join(folder, name);
    const file = await lstat(path).catch(ignoreFault);
    const abandoned = where === machine() && !isAlive(Number(pid));
    if (file?.isFile() && (abandoned || Date.now() - file.mtimeMs > ABANDONED_MS)) {
      await unlink(path).catch(ignoreFault);
    }
  }
};
