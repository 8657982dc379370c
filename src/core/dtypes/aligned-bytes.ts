import { LoupeError } from '../../shared/errors.ts';

/** Bytes an element view needs in front of it to be a multiple of. */
export type ElementSize = 1 | 2 | 4 | 8;

// Typed arrays take the host's byte order, the files are little-endian. Every platform Node and browsers run on is too.
if (new Uint8Array(new Uint16Array([1]).buffer)[0] !== 1) {
  throw new LoupeError('big-endian-host', 'this program runs on little-endian machines only');
}

/**
 * The same bytes at an offset that typed arrays of that element size accept: `bytes` itself where it already is, otherwise
 * a copy.
 */
export const alignedBytes = (bytes: Uint8Array, size: ElementSize): Uint8Array =>
  bytes.byteOffset % size === 0 ? bytes : bytes.slice();
