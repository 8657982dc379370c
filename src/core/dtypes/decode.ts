import { LoupeError } from '../../shared/errors.ts';
import type { DtypeInfo } from './dtype-table.ts';
import { type ElementOptions, type ElementWindow, elementWindow } from './element-window.ts';
import { widenBf16, widenF16 } from './half-floats.ts';
import { SMALL_FLOAT_TABLES } from './small-floats.ts';
import { nearestFloat32 } from './wide-ints.ts';

const lookUp = (info: DtypeInfo, codes: Uint8Array, out: Int32Array): void => {
  // Through the bit patterns, so that a NaN stays the NaN of the table.
  const table = SMALL_FLOAT_TABLES.get(info.name);
  if (table === undefined) {
    throw new LoupeError('unknown-dtype', `there is no table of the values of ${info.name}`, { dtype: info.name });
  }
  const patterns = new Int32Array(table.buffer);
  for (let index = 0; index < codes.length; index += 1) {
    out[index] = patterns[codes[index] ?? 0] ?? 0;
  }
};

/** As `out.set(values)`, and faster. */
const roundEach = (values: Float64Array, out: Float32Array): void => {
  for (let index = 0; index < values.length; index += 1) {
    out[index] = values[index] ?? 0;
  }
};

const narrow64 = (words: Uint32Array, signed: boolean, out: Float32Array): void => {
  for (let index = 0; index * 2 < words.length; index += 1) {
    const high = words[index * 2 + 1] ?? 0;
    const low = words[index * 2] ?? 0;
    out[index] = high === 0 ? low : nearestFloat32(signed ? high | 0 : high, low);
  }
};

/**
 * The numbers of a window as float32, by the rules of {@link decodeFloat32}, into the start of `out`, which is at least as
 * long as the window.
 */
export const decodeWindow = ({ info, bytes, length }: ElementWindow, out: Float32Array): void => {
  const { buffer, byteOffset } = bytes;
  const bits = new Int32Array(out.buffer, out.byteOffset, length);
  switch (info.encoding) {
    case 'bool':
      for (let index = 0; index < length; index += 1) {
        out[index] = bytes[index] === 0 ? 0 : 1;
      }
      break;
    case 'u8':
      out.set(bytes);
      break;
    case 'i8':
      out.set(new Int8Array(buffer, byteOffset, length));
      break;
    case 'u16':
      out.set(new Uint16Array(buffer, byteOffset, length));
      break;
    case 'i16':
      out.set(new Int16Array(buffer, byteOffset, length));
      break;
    case 'u32':
      out.set(new Uint32Array(buffer, byteOffset, length));
      break;
    case 'i32':
      out.set(new Int32Array(buffer, byteOffset, length));
      break;
    case 'u64':
    case 'i64':
      narrow64(new Uint32Array(buffer, byteOffset, length * 2), info.encoding === 'i64', out);
      break;
    case 'f16':
      widenF16(new Uint16Array(buffer, byteOffset, length), bits);
      break;
    case 'bf16':
      widenBf16(new Uint16Array(buffer, byteOffset, length), bits);
      break;
    case 'f32':
      bits.set(new Int32Array(buffer, byteOffset, length));
      break;
    case 'f64':
      roundEach(new Float64Array(buffer, byteOffset, length), out);
      break;
    case 'table':
      lookUp(info, bytes, bits);
      break;
  }
};

/**
 * Decodes `count` elements of `bytes` into `out`.
 *
 * Exact for every float of up to 32 bits, BOOL (nonzero is 1) and integers of up to 16 bits; F64 and the other integers
 * are rounded to the nearest float32, ties to even. C64 gives two numbers an element, real then imaginary. NaN payloads
 * of F32, BF16 and F16 are kept bit for bit, other NaNs become a quiet one.
 *
 * @param bytes little-endian, at any alignment
 * @param out receives `count` (C64: 2 · `count`) numbers from its start
 * @throws LoupeError `unknown-dtype`; `f6-bit-order` for a 6-bit dtype without an order; `bytes-too-short` when `bytes`
 *   ends before the last element; `output-too-short`
 */
export const decodeFloat32 = (
  dtype: string,
  bytes: Uint8Array,
  count: number,
  out: Float32Array,
  options: ElementOptions = {},
): void => {
  const window = elementWindow(dtype, bytes, count, options);
  if (out.length < window.length) {
    throw new LoupeError('output-too-short', `${window.length} numbers do not fit into an array of ${out.length}`, {
      needed: window.length,
      length: out.length,
    });
  }
  decodeWindow(window, out);
};
