import type { DtypeInfo } from '../dtypes/dtype-table.ts';

/** A typed array of a tensor's own elements; of dtypes JavaScript has no array for, their bits or bytes. */
export type NativeArray =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>;

/**
 * Views bytes as the elements they hold, without copying: F32 and C64 (real and imaginary parts in turn), F64, integers; F16
 * and BF16 as their 16 bits; BOOL, F8_*, F6_* and F4 as bytes.
 *
 * @param bytes whole elements at the start of a buffer of their own, as `readBytes` returns them.
 */
export const nativeView = ({ encoding }: DtypeInfo, bytes: Uint8Array<ArrayBuffer>): NativeArray => {
  const { buffer } = bytes;
  switch (encoding) {
    case 'f32':
      return new Float32Array(buffer);
    case 'f64':
      return new Float64Array(buffer);
    case 'i8':
      return new Int8Array(buffer);
    case 'i16':
      return new Int16Array(buffer);
    case 'u16':
    case 'f16':
    case 'bf16':
      return new Uint16Array(buffer);
    case 'i32':
      return new Int32Array(buffer);
    case 'u32':
      return new Uint32Array(buffer);
    case 'i64':
      return new BigInt64Array(buffer);
    case 'u64':
      return new BigUint64Array(buffer);
    default:
      return bytes;
  }
};
