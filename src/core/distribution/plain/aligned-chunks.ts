import type { ElementSize } from '../../dtypes/aligned-bytes.ts';

/** Bytes copied at once where they are not aligned: half of a usual first-level cache. */
const SCRATCH_BYTES = 1 << 14;

/**
 * Hands out `bytes` in order, in chunks of at most `limit` bytes that start at a multiple of `size`: views of it where it
 * is aligned, otherwise of a scratch copy that the next chunk overwrites.
 *
 * @param limit a multiple of `size`
 */
export const forAlignedChunks = (
  bytes: Uint8Array,
  size: ElementSize,
  limit: number,
  visit: (chunk: Uint8Array) => void,
): void => {
  if (bytes.byteOffset % size === 0) {
    for (let begin = 0; begin < bytes.length; begin += limit) {
      visit(bytes.subarray(begin, begin + limit));
    }
    return;
  }
  const step = Math.min(limit, SCRATCH_BYTES);
  const scratch = new Uint8Array(step);
  for (let begin = 0; begin < bytes.length; begin += step) {
    const part = bytes.subarray(begin, begin + step);
    scratch.set(part);
    visit(scratch.subarray(0, part.length));
  }
};
