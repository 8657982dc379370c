import { OutOfRangeError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';

/**
 * Checks that `[offset, offset + length)` lies inside the source. Compares with what remains, never adds to a number out
 * of a file.
 *
 * @throws OutOfRangeError
 */
export const checkRange = (source: ByteSource, offset: number, length: number): void => {
  const sound = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (!sound || offset > source.size || length > source.size - offset) {
    throw new OutOfRangeError(source.name, offset, length, source.size);
  }
};

/**
 * The one checked read: fills `target` with exactly the bytes at `offset`, or throws.
 *
 * @throws OutOfRangeError, and whatever the source's `read` throws.
 */
export const readInto = (source: ByteSource, offset: number, target: Uint8Array): void | Promise<void> => {
  checkRange(source, offset, target.byteLength);
  return source.read(offset, target);
};

/**
 * Exactly `length` bytes at `offset`, in a buffer of their own. Nothing is allocated before the range has been checked.
 *
 * @throws OutOfRangeError, and whatever the source's `read` throws.
 */
export const readBytes = async (
  source: ByteSource,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  checkRange(source, offset, length);
  const target = new Uint8Array(length);
  await source.read(offset, target);
  return target;
};
