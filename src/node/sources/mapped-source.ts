import { ClosedError, FileChangedError } from '../../core/errors.ts';
import type { FileSource } from './file-source.ts';
import type { Mapper, Mapping } from './mapping.ts';
import { WatchedFile } from './watched-file.ts';

/** Bytes copied between two checks of the file, so that a large read notices a change early and stays in the cache. */
const PIECE = 4 * 1024 * 1024;

/**
 * A file read out of a memory mapping. Opening costs the same whatever the file's size, a small read a fraction of a
 * system call's.
 *
 * @returns undefined when the system refuses to map this file: read it by position then.
 * @throws OpenFileError
 */
export const mappedSource = (path: string, mapper: Mapper): FileSource | undefined => {
  const file = new WatchedFile(path);
  const { size } = file.identity;
  // An empty file cannot be mapped, and has nothing to read.
  let mapping: Mapping | undefined;
  try {
    mapping = size === 0 ? undefined : mapper.map({ descriptor: file.descriptor, path }, size);
  } catch (fault) {
    file.close();
    throw fault;
  }
  if (mapping === undefined && size > 0) {
    file.close();
    return undefined;
  }
  let open = true;

  const copyPiece = (held: Mapping, offset: number, piece: Uint8Array): void => {
    if (!held.faultsSafely) {
      file.checkUnchanged();
    }
    if (!held.copy(offset, piece)) {
      file.checkUnchanged();
      throw new FileChangedError(`${file.name} cannot be read at byte ${offset}: its disk failed or it was cut`, {
        file: file.name,
        offset,
      });
    }
  };

  return {
    name: file.name,
    path,
    identity: file.identity,
    access: 'mapped',
    size,
    read: (offset, target) => {
      if (!open) {
        throw new ClosedError(file.name);
      }
      if (mapping !== undefined) {
        for (let done = 0; done < target.byteLength; done += PIECE) {
          copyPiece(mapping, offset + done, target.subarray(done, done + PIECE));
        }
      }
      // Bytes behind a new end within the last page read as zeros: what was copied counts only if the file is whole.
      file.checkUnchanged();
    },
    close: () => {
      if (open) {
        open = false;
        mapping?.unmap();
        file.close();
      }
    },
  };
};
