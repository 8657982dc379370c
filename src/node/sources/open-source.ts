import { platform } from 'node:process';
import { FileChangedError } from '../../core/errors.ts';
import type { FileSource } from './file-source.ts';
import { mappedSource } from './mapped-source.ts';
import type { Mapper } from './mapping.ts';
import { positionedSource } from './positioned-source.ts';
import type { FileIdentity } from './regular-file.ts';

/** Loads the mapper of this system; undefined where the foreign-function library or a function of it is missing. */
const loadMapper = async (): Promise<Mapper | undefined> => {
  try {
    return platform === 'win32'
      ? (await import('./windows-mapper.ts')).windowsMapper()
      : (await import('./posix-mapper.ts')).posixMapper();
  } catch (cause) {
    process.emitWarning(`files are read by position, since mapping is not available: ${String(cause)}`);
    return undefined;
  }
};

const systemMapper = (() => {
  let loading: Promise<Mapper | undefined> | undefined;
  return (): Promise<Mapper | undefined> => {
    loading ??= loadMapper();
    return loading;
  };
})();

/**
 * Opens a regular file as a source: mapped where the system can, read by position elsewhere, with the same answers.
 *
 * @throws OpenFileError `not-found`, `not-permitted`, `not-a-file` or `io`; never blocks on a pipe.
 */
export const openSource = async (path: string): Promise<FileSource> => {
  const mapper = await systemMapper();
  return (mapper === undefined ? undefined : mappedSource(path, mapper)) ?? positionedSource(path);
};

const sameFile = (a: FileIdentity, b: FileIdentity): boolean =>
  a.size === b.size && a.modified === b.modified && a.inode === b.inode && a.device === b.device;

/**
 * Opens a file that was opened before, in another thread say, and makes sure that it is still the same one.
 *
 * @throws FileChangedError when another file, or other content, is at the path now; OpenFileError.
 */
export const openSameSource = async (path: string, identity: FileIdentity): Promise<FileSource> => {
  const source = await openSource(path);
  if (!sameFile(source.identity, identity)) {
    source.close();
    throw new FileChangedError(`${source.name} was replaced or written to since it was opened; open it again`, {
      file: source.name,
    });
  }
  return source;
};
