import { stat } from 'node:fs/promises';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { fileReference } from '../scan/scan-tensors.ts';
import { CACHE_VERSION } from './cached-scan.ts';

/** Which state of which files a result belongs to. */
export interface FilesKey {
  /** Path, size, device, inode, times of modification and of status change in nanoseconds, of every file. */
  readonly text: string;
  /** When the youngest of the files was last modified, in milliseconds since 1970. */
  readonly modified: number;
}

/**
 * The key of a checkpoint's files as they are on disk now; undefined when they are no longer those that were opened, or not
 * on a disk. The time of status change is in it because programs can set the time of modification back, but not that one.
 */
export const filesKey = async (checkpoint: Checkpoint): Promise<FilesKey | undefined> => {
  const parts: string[] = [];
  const seen = new Set<string>();
  let youngest = 0;
  for (const source of checkpoint.sources) {
    const file = fileReference(source);
    if (file === undefined) {
      // A member of an archive before it; a file that is not there, or only a page has, has no key.
      if (parts.length === 0 || source.size === 0) {
        return undefined;
      }
      continue;
    }
    const { path, identity } = file;
    if (seen.has(path)) {
      continue;
    }
    seen.add(path);
    try {
      const { size, mtimeNs, ctimeNs, ino, dev } = await stat(path, { bigint: true });
      const isSame =
        Number(size) === identity.size &&
        mtimeNs === identity.modified &&
        ino === identity.inode &&
        dev === identity.device;
      if (!isSame) {
        return undefined;
      }
      parts.push(JSON.stringify([path, `${size} ${dev} ${ino} ${mtimeNs} ${ctimeNs}`]));
      youngest = Math.max(youngest, Number(mtimeNs / 1_000_000n), Number(ctimeNs / 1_000_000n));
    } catch {
      return undefined;
    }
  }
  return parts.length === 0 ? undefined : { text: `${CACHE_VERSION} ${parts.join(' ')}`, modified: youngest };
};
