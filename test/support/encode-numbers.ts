import { decodeFloat32 } from '../../src/core/dtypes/decode.ts';
import { requireDtype } from '../../src/core/dtypes/require-dtype.ts';

/** The finite values of a dtype of 8 or 16 bits, ascending, with the code of each. */
const finiteCodes = (dtype: string): { readonly values: Float64Array; readonly codes: Uint16Array } => {
  const bits = requireDtype(dtype).bits;
  const all =
    bits === 16
      ? Uint16Array.from({ length: 65_536 }, (_, code) => code)
      : Uint8Array.from({ length: 256 }, (_, code) => code);
  const decoded = new Float32Array(all.length);
  decodeFloat32(dtype, new Uint8Array(all.buffer), all.length, decoded);
  const order = [...decoded.keys()]
    .filter((code) => Number.isFinite(decoded[code]))
    .sort((a, b) => (decoded[a] ?? 0) - (decoded[b] ?? 0));
  return { values: Float64Array.from(order, (code) => decoded[code] ?? 0), codes: Uint16Array.from(order) };
};

/** Turns numbers into a dtype's bytes, each into the nearest value; numbers beyond its range into its largest. */
export type Encode = (numbers: ArrayLike<number>) => Uint8Array;

/** How numbers are written in this dtype: a float or small integer of 8 or 16 bits, F32, F64, I32 or I64. */
export const encoderOf = (dtype: string): Encode => {
  switch (dtype) {
    case 'F32':
      return (numbers) => new Uint8Array(Float32Array.from(numbers).buffer);
    case 'F64':
      return (numbers) => new Uint8Array(Float64Array.from(numbers).buffer);
    case 'I32':
      return (numbers) => new Uint8Array(Int32Array.from(numbers).buffer);
    case 'I64':
      return (numbers) => new Uint8Array(BigInt64Array.from(Array.from(numbers, BigInt)).buffer);
    default:
      break;
  }
  const { values, codes } = finiteCodes(dtype);
  const nearest = (number: number): number => {
    let low = 0;
    let high = values.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[middle] ?? 0) < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const below = values[Math.max(low - 1, 0)] ?? 0;
    return codes[number - below < (values[low] ?? 0) - number ? Math.max(low - 1, 0) : low] ?? 0;
  };
  return requireDtype(dtype).bits === 16
    ? (numbers) => new Uint8Array(Uint16Array.from(numbers, nearest).buffer)
    : (numbers) => Uint8Array.from(numbers, nearest);
};

/** Random numbers that are the same in every run: uniform, and of a normal distribution. */
export const seededNumbers = (seed: number): { uniform(): number; normal(mean?: number, std?: number): number } => {
  let state = seed | 0;
  const uniform = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    uniform,
    normal: (mean = 0, std = 1) =>
      mean + std * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
};
