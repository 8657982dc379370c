import type { ByteSource } from '../../core/bytes/byte-source.ts';
import { OpenFileError } from '../../core/errors.ts';

/** Stands for a file that is not there, so that the tensors it should hold can be listed. Every read fails. */
export const absentSource = (name: string): ByteSource => ({
  name,
  size: 0,
  read: () => {
    throw new OpenFileError('not-found', `${name} is not there`, { path: name });
  },
  close: () => undefined,
});
