import { ClosedError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';

/** A source over bytes in memory. The bytes are not copied: whoever made them must not change them. */
export const memorySource = (bytes: Uint8Array, name = 'memory'): ByteSource => {
  let held: Uint8Array | undefined = bytes;
  return {
    name,
    size: bytes.byteLength,
    read: (offset, target) => {
      if (held === undefined) {
        throw new ClosedError(name);
      }
      target.set(held.subarray(offset, offset + target.byteLength));
    },
    close: () => {
      held = undefined;
    },
  };
};
