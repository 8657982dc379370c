import type { ByteSource } from '../../bytes/byte-source.ts';
import { checkRange } from '../../bytes/checked-read.ts';
import type { ByteRange } from './zip-types.ts';

/**
 * Part of a source as a source of its own, for an archive inside a file. Closing it does nothing: the whole belongs to
 * whoever opened it.
 *
 * @throws OutOfRangeError when the region does not lie inside the source.
 */
export const regionSource = (source: ByteSource, { begin, end }: ByteRange): ByteSource => {
  checkRange(source, begin, end - begin);
  return {
    name: source.name,
    size: end - begin,
    read: (offset, target) => source.read(begin + offset, target),
    close: () => undefined,
  };
};
