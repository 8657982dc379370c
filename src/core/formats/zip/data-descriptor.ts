import { DATA_DESCRIPTOR } from './records.ts';

/** The longest data descriptor: signature, CRC and two 64-bit sizes. */
export const DESCRIPTOR_REACH = 24;

/** A data descriptor's numbers. */
export interface DataDescriptor {
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
}

/**
 * Reads `length` bytes at `begin` as a data descriptor: 16 or 24 bytes with a signature, 12 or 20 without (FORMATS.md
 * appendix A). Undefined for any other length and for a missing signature.
 */
export const readDescriptor = (view: DataView, begin: number, length: number): DataDescriptor | undefined => {
  const signed = length === 16 || length === 24;
  if ((!signed && length !== 12 && length !== 20) || (signed && view.getUint32(begin, true) !== DATA_DESCRIPTOR)) {
    return undefined;
  }
  const at = signed ? begin + 4 : begin;
  const wide = length >= 20;
  const size = (position: number): number =>
    wide ? Number(view.getBigUint64(position, true)) : view.getUint32(position, true);
  return {
    crc32: view.getUint32(at, true),
    compressedBytes: size(at + 4),
    bytes: size(at + (wide ? 12 : 8)),
  };
};
