import { LoupeError } from '../../shared/errors.ts';
import { alignedBytes, type ElementSize } from './aligned-bytes.ts';
import { componentBits, type DtypeInfo } from './dtype-table.ts';
import { requireDtype } from './require-dtype.ts';
import { type F6Order, unpackCodes } from './sub-byte.ts';

/** Where in the bytes the elements are, and what the format leaves open. */
export interface ElementOptions {
  /** Elements to skip at the start of the bytes; default 0. May be odd for 4-bit dtypes. */
  readonly firstElement?: number;
  /** Order of the bits of F6_E2M3 and F6_E3M2; without it they cannot be decoded. */
  readonly f6Order?: F6Order | undefined;
}

/** Elements ready to be viewed through typed arrays. */
export interface ElementWindow {
  readonly info: DtypeInfo;
  /** Numbers in the window: elements times components. */
  readonly length: number;
  /**
   * Exactly those numbers' bytes, aligned to their size; of 4- and 6-bit dtypes their codes, one a byte.
   */
  readonly bytes: Uint8Array;
}

const sizeOf = (bits: number): ElementSize => {
  switch (bits) {
    case 16:
      return 2;
    case 32:
      return 4;
    case 64:
      return 8;
    default:
      return 1;
  }
};

/**
 * Cuts `count` elements out of `bytes`.
 *
 * @throws LoupeError `unknown-dtype`; `f6-bit-order` for a 6-bit dtype without an order; `bytes-too-short` when `bytes`
 *   ends before the last element
 */
export const elementWindow = (
  dtype: string,
  bytes: Uint8Array,
  count: number,
  { firstElement = 0, f6Order }: ElementOptions = {},
): ElementWindow => {
  const info = requireDtype(dtype);
  if ((firstElement + count) * info.bits > bytes.length * 8) {
    throw new LoupeError(
      'bytes-too-short',
      `${bytes.length} bytes do not hold ${count} elements of ${dtype} from element ${firstElement} on`,
      { dtype, bytes: bytes.length, count, firstElement },
    );
  }
  const length = count * info.components;
  if (info.bits < 8) {
    return { info, length, bytes: unpackCodes(info, bytes, firstElement, count, f6Order) };
  }
  const stride = info.bits / 8;
  const cut = bytes.subarray(firstElement * stride, (firstElement + count) * stride);
  return { info, length, bytes: alignedBytes(cut, sizeOf(componentBits(info))) };
};
