import { LoupeError } from '../../shared/errors.ts';
import type { DtypeInfo } from './dtype-table.ts';

/**
 * Order of the 6-bit codes in a byte stream, which safetensors leaves undefined (FORMATS.md 1.5). `lsb`: code i is bits
 * 6i … 6i+5 of the little-endian bit stream; `msb`: of the big-endian one.
 */
export type F6Order = 'lsb' | 'msb';

/**
 * The order when the dtype needs one; undefined when it does not.
 *
 * @throws LoupeError `f6-bit-order` when the dtype has 6 bits and no order is named
 */
export const requireF6Order = (info: DtypeInfo, order: F6Order | undefined): F6Order | undefined => {
  if (info.bits !== 6) {
    return undefined;
  }
  if (order === undefined) {
    throw new LoupeError(
      'f6-bit-order',
      `the order of the bits of ${info.name} is not defined by the format; name one (lsb or msb) to decode it`,
      { dtype: info.name },
    );
  }
  return order;
};

const unpack4 = (bytes: Uint8Array, first: number, codes: Uint8Array): void => {
  const odd = first % 2;
  let at = Math.floor(first / 2);
  if (odd === 1 && codes.length > 0) {
    codes[0] = (bytes[at] ?? 0) >>> 4;
    at += 1;
  }
  // Low nibble first (FORMATS.md 1.5, torch's Float4_e2m1fn_x2). A write past the end is dropped.
  for (let index = odd; index < codes.length; index += 2, at += 1) {
    const byte = bytes[at] ?? 0;
    codes[index] = byte & 0xf;
    codes[index + 1] = byte >>> 4;
  }
};

const unpack6 = (bytes: Uint8Array, first: number, codes: Uint8Array, order: F6Order): void => {
  for (let index = 0; index < codes.length; index += 1) {
    const element = first + index;
    const offset = Math.floor(element / 4) * 3 + Math.floor(((element % 4) * 6) / 8);
    const shift = ((element % 4) * 6) % 8;
    const byte = bytes[offset] ?? 0;
    const next = bytes[offset + 1] ?? 0;
    codes[index] = (order === 'lsb' ? (byte | (next << 8)) >>> shift : ((byte << 8) | next) >>> (10 - shift)) & 0x3f;
  }
};

/**
 * The codes of 4- or 6-bit elements, one a byte.
 *
 * @param bytes starts at an element boundary that is also a byte boundary
 * @param first elements to skip in `bytes`; may be odd
 * @throws LoupeError `f6-bit-order` when the dtype has 6 bits and no order is named
 */
export const unpackCodes = (
  info: DtypeInfo,
  bytes: Uint8Array,
  first: number,
  count: number,
  order: F6Order | undefined,
): Uint8Array => {
  const codes = new Uint8Array(count);
  const needed = requireF6Order(info, order);
  if (needed === undefined) {
    unpack4(bytes, first, codes);
  } else {
    unpack6(bytes, first, codes, needed);
  }
  return codes;
};
