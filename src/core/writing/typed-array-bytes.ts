import { LoupeError } from '../../shared/errors.ts';
import { requireDtype } from '../dtypes/require-dtype.ts';
import { quoteName } from '../quote-name.ts';

/** Typed arrays by the dtypes whose elements (or their bits) they hold. Newer engines have a Float16Array. */
const ARRAYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Int8Array', ['I8']],
  ['Uint8ClampedArray', ['U8']],
  ['Int16Array', ['I16']],
  ['Uint16Array', ['U16', 'F16', 'BF16']],
  ['Float16Array', ['F16']],
  ['Int32Array', ['I32']],
  ['Uint32Array', ['U32']],
  ['Float32Array', ['F32', 'C64']],
  ['Float64Array', ['F64']],
  ['BigInt64Array', ['I64']],
  ['BigUint64Array', ['U64']],
]);

/** Arrays of plain bytes, which may hold any dtype. */
const OF_BYTES: ReadonlySet<string> = new Set(['Uint8Array', 'Buffer', 'DataView']);

/**
 * The bytes of a typed array that holds a tensor's elements, without copying them.
 *
 * @throws LoupeError `unknown-dtype`; `dtype-mismatch` when the array's numbers are not of that dtype, which would be
 *   written as other numbers.
 */
export const typedArrayBytes = (name: string, dtype: string, data: ArrayBufferView): Uint8Array => {
  requireDtype(dtype);
  const kind = Object.prototype.toString.call(data).slice(8, -1);
  if (!OF_BYTES.has(kind) && ARRAYS.get(kind)?.includes(dtype) !== true) {
    const message = `tensor ${quoteName(name)}: a ${kind} does not hold ${dtype}; give its bytes as a Uint8Array`;
    throw new LoupeError('dtype-mismatch', message, { name, dtype, array: kind });
  }
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
};
