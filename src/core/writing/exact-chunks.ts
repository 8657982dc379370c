import { LoupeError } from '../../shared/errors.ts';
import { quoteName } from '../quote-name.ts';

/** Most bytes handed on at once: what keeps memory bounded and the event loop free between two writes. */
export const PIECE_BYTES = 1024 * 1024;

/** Bytes in pieces, made at once or as they come. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const mismatch = (name: string, expected: number, found: string): LoupeError =>
  new LoupeError(
    'size-mismatch',
    `the data given for tensor ${quoteName(name)} has ${found} than its ${expected} bytes`,
    {
      name,
      expected,
    },
  );

/**
 * Passes on a tensor's bytes in pieces of at most {@link PIECE_BYTES}, and makes sure that there are exactly `length`.
 *
 * @throws LoupeError `size-mismatch` when the chunks end early or go on too long, before a byte too many is passed on;
 *   whatever the chunks throw.
 */
export async function* exactChunks(name: string, length: number, chunks: Chunks): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of chunks) {
    if (chunk.byteLength > length - done) {
      throw mismatch(name, length, 'more');
    }
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
    }
    done += chunk.byteLength;
  }
  if (done < length) {
    throw mismatch(name, length, `${length - done} bytes fewer`);
  }
}
