import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { strictJson } from '../../shared/strict-json.ts';
import { ignoreFault } from '../writing/system-error.ts';
import { type CachedScan, cachedScanJson, parseCachedScan } from './cached-scan.ts';

/** Bytes of one stored scan: some 30,000 tensors. A larger one is not stored. */
const LARGEST_ENTRY = 32 * 1024 * 1024;
/** Bytes of all of them together; the longest unused go first. */
const LARGEST_CACHE = 256 * 1024 * 1024;

const ENTRY = /^[0-9a-f]{64}\.json$/;

const fileOf = (folder: string, key: string): string =>
  join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);

/** Removes the longest unused entries until the rest fits. */
const prune = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => ENTRY.test(name));
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, used: mtimeMs };
    }),
  );
  let total = 0;
  for (const { path, size } of entries.sort((a, b) => b.used - a.used)) {
    total += size;
    if (total > LARGEST_CACHE) {
      await unlink(path).catch(ignoreFault);
    }
  }
};

/**
 * Stores a scan. The folder is the user's alone, for which files somebody looks at is their own business; an entry appears
 * whole or not at all.
 *
 * @returns whether it was stored; what is too large is not
 * @throws the system's error when the folder cannot be written
 */
export const storeScan = async (folder: string, key: string, scan: CachedScan): Promise<boolean> => {
  const text = strictJson(cachedScanJson(key, scan));
  if (text.length > LARGEST_ENTRY) {
    return false;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = fileOf(folder, key);
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.close();
    await rename(temporary, path);
  } catch (fault) {
    await file.close().catch(ignoreFault);
    await rm(temporary, { force: true });
    throw fault;
  }
  await prune(folder);
  return true;
};

/** The scan stored under a key; undefined when there is none that can be read. A broken one is removed. */
export const loadScan = async (folder: string, key: string): Promise<CachedScan | undefined> => {
  const path = fileOf(folder, key);
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const scan = size > LARGEST_ENTRY ? undefined : parseCachedScan(await file.readFile('utf8'), key);
      if (scan === undefined) {
        await unlink(path);
      } else {
        const now = new Date();
        await utimes(path, now, now);
      }
      return scan;
    } finally {
      await file.close();
    }
  } catch {
    // Not there, or not to be read: then the file is scanned.
    return undefined;
  }
};
