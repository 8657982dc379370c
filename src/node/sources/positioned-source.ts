import { readSync } from 'node:fs';
import { FileChangedError } from '../../core/errors.ts';
import type { FileSource } from './file-source.ts';
import { openFileError } from './regular-file.ts';
import { WatchedFile } from './watched-file.ts';

/** Longest single read, in bytes: Linux and Node stop short of 2 GiB, so longer ones loop. */
const LONGEST_READ = 2 ** 30;

/**
 * A file read by position (`pread`): for systems and file systems without a usable mapping. Gives the same answers as
 * `mappedSource`.
 *
 * @throws OpenFileError
 */
export const positionedSource = (path: string): FileSource => {
  const file = new WatchedFile(path);
  return {
    name: file.name,
    path,
    identity: file.identity,
    access: 'positioned',
    size: file.identity.size,
    read: (offset, target) => {
      let done = 0;
      while (done < target.byteLength) {
        const wanted = Math.min(target.byteLength - done, LONGEST_READ);
        const got = readOnce(file, target, done, wanted, offset + done);
        if (got === 0) {
          throw new FileChangedError(`${file.name} ended at byte ${offset + done} while it was open`, {
            file: file.name,
            expected: file.identity.size,
            found: offset + done,
          });
        }
        done += got;
      }
      file.checkUnchanged();
    },
    close: () => file.close(),
  };
};

const readOnce = (file: WatchedFile, target: Uint8Array, at: number, length: number, position: number): number => {
  const { descriptor } = file;
  try {
    return readSync(descriptor, target, at, length, position);
  } catch (cause) {
    throw openFileError(file.path, cause);
  }
};
