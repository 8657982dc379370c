import type { DtypeInfo } from '../dtypes/dtype-table.ts';
import type { StridedLayout } from './strided-layout.ts';

const swap = (bytes: Uint8Array, size: number): void => {
  for (let at = 0; at + size <= bytes.length; at += size) {
    bytes.subarray(at, at + size).reverse();
  }
};

/** Flips the sign bit of every `every`-th number of `size` bytes, from number `first`. */
const flipSigns = (bytes: Uint8Array, size: number, first: number, every: number): void => {
  for (let at = first * size + size - 1; at < bytes.length; at += every * size) {
    bytes[at] = (bytes[at] ?? 0) ^ 0x80;
  }
};

/** Two's complement negation of little-endian integers. */
const negateIntegers = (bytes: Uint8Array, size: number): void => {
  for (let at = 0; at + size <= bytes.length; at += size) {
    let carry = 1;
    for (let byte = at; byte < at + size; byte += 1) {
      const sum = ((bytes[byte] ?? 0) ^ 0xff) + carry;
      bytes[byte] = sum & 0xff;
      carry = sum >> 8;
    }
  }
};

/**
 * Turns stored elements into the tensor's own, in place: little-endian, negated and conjugated as the layout says. Floats
 * change their sign bit alone, so a NaN keeps its payload and 0 becomes −0, as in torch.
 *
 * @param bytes whole elements of a dtype of whole bytes.
 */
export const restoreValues = (bytes: Uint8Array, info: DtypeInfo, layout: StridedLayout): void => {
  const size = info.bits / 8 / info.components;
  if (layout.bigEndian === true && size > 1) {
    swap(bytes, size);
  }
  if (layout.negated === true) {
    if (info.kind === 'int' || info.kind === 'uint') {
      negateIntegers(bytes, size);
    } else if (info.kind !== 'bool') {
      flipSigns(bytes, size, 0, 1);
    }
  }
  if (layout.conjugated === true && info.components === 2) {
    flipSigns(bytes, size, 1, 2);
  }
};
