import { ClosedError } from '../../core/errors.ts';
import type { FileSource } from './file-source.ts';
import { openSameSource } from './open-source.ts';

/**
 * A file that was looked at before and is opened again when it is first read, then stays open: a model of hundreds of shards
 * costs no descriptor until its values are asked for.
 *
 * @param seen what it was when it was looked at; a file that is no longer the same is refused at the first read.
 */
export const lazySource = (seen: Pick<FileSource, 'name' | 'path' | 'size' | 'identity' | 'access'>): FileSource => {
  let opening: Promise<FileSource> | undefined;
  let opened: FileSource | undefined;
  let closed = false;

  const openNow = async (): Promise<FileSource> => {
    opening ??= openSameSource(seen.path, seen.identity);
    const source = await opening;
    if (closed) {
      source.close();
      throw new ClosedError(seen.name);
    }
    opened = source;
    return source;
  };

  return {
    name: seen.name,
    path: seen.path,
    size: seen.size,
    identity: seen.identity,
    access: seen.access,
    read: (offset, target) => {
      if (closed) {
        throw new ClosedError(seen.name);
      }
      return opened === undefined
        ? openNow().then((source) => source.read(offset, target))
        : opened.read(offset, target);
    },
    close: () => {
      closed = true;
      opened?.close();
    },
  };
};
