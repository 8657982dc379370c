import { platform } from 'node:process';
import type { ByteSource } from '../../core/bytes/byte-source.ts';
import { mappedSource } from './mapped-source.ts';
import type { Mapper } from './mapping.ts';
import { positionedSource } from './positioned-source.ts';

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
export const openSource = async (path: string): Promise<ByteSource> => {
  const mapper = await systemMapper();
  return (mapper === undefined ? undefined : mappedSource(path, mapper)) ?? positionedSource(path);
};
