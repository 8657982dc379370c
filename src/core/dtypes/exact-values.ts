import { decodeWindow } from './decode.ts';
import { type ElementOptions, type ElementWindow, elementWindow } from './element-window.ts';

/** One number of a tensor, exactly: of I64 and U64 always a bigint; of BOOL 0 or 1. */
export type ExactNumber = number | bigint;

/** One element of a tensor, exactly; of a complex dtype its real and its imaginary part. */
export type ExactValue = ExactNumber | readonly [real: ExactNumber, imaginary: ExactNumber];

type Components = Float32Array | Float64Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array;

/** Every number of a window, exactly, real and imaginary parts in turn. */
export const exactComponents = (window: ElementWindow): Components => {
  const { info, bytes, length } = window;
  switch (info.encoding) {
    case 'f64':
      return new Float64Array(bytes.buffer, bytes.byteOffset, length);
    case 'u32':
      return new Uint32Array(bytes.buffer, bytes.byteOffset, length);
    case 'i32':
      return new Int32Array(bytes.buffer, bytes.byteOffset, length);
    case 'u64':
      return new BigUint64Array(bytes.buffer, bytes.byteOffset, length);
    case 'i64':
      return new BigInt64Array(bytes.buffer, bytes.byteOffset, length);
    default: {
      // Everything else is exactly a float32.
      const values = new Float32Array(length);
      decodeWindow(window, values);
      return values;
    }
  }
};

/**
 * Each element's exact value, as the command line's JSON prints it. NaN, ±Infinity and −0 stay what they are.
 *
 * @param bytes little-endian, at any alignment
 * @throws LoupeError `unknown-dtype`, `f6-bit-order`, `bytes-too-short` (see {@link elementWindow})
 */
export const elementValues = (
  dtype: string,
  bytes: Uint8Array,
  count: number,
  options: ElementOptions = {},
): ExactValue[] => {
  const window = elementWindow(dtype, bytes, count, options);
  const numbers = exactComponents(window);
  return window.info.components === 1
    ? Array.from<ExactNumber>(numbers)
    : Array.from({ length: count }, (_, index) => [numbers[index * 2] ?? 0, numbers[index * 2 + 1] ?? 0]);
};

/**
 * The f64 nearest to each element, of complex dtypes to its real part: for colouring and sorting, not for printing. Exact
 * for all but 64-bit integers.
 *
 * @param bytes little-endian, at any alignment
 * @throws LoupeError `unknown-dtype`, `f6-bit-order`, `bytes-too-short` (see {@link elementWindow})
 */
export const elementNumbers = (
  dtype: string,
  bytes: Uint8Array,
  count: number,
  options: ElementOptions = {},
): Float64Array => {
  const window = elementWindow(dtype, bytes, count, options);
  const numbers = exactComponents(window);
  const out = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    out[index] = Number(numbers[index * window.info.components]);
  }
  return out;
};
