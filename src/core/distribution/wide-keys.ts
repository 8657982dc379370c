import type { SparseCounts } from './sparse-counts.ts';
import type { WideEncoding } from './wide-totals.ts';

/**
 * Keys of wide numbers: the upper bits of a float, reordered so that keys ascend as values do. F64 uses 19 bits of the f64,
 * the others 16 of the (nearest) float32: sign, exponent and 7 bits of mantissa either way, so that the numbers of one
 * key differ by less than 2^-7 of themselves, unless they are subnormal.
 *
 * Of 64-bit integers the float32 nearest to the nearest f64 is taken, of 32-bit ones the nearest float32.
 */
export const keyBits = (encoding: WideEncoding): 16 | 19 => (encoding === 'f64' ? 19 : 16);

/** Turns counts by raw upper bits into counts by order-preserving key. */
export const orderKeys = ({ keys, counts }: SparseCounts, bits: number): SparseCounts => {
  const half = 2 ** (bits - 1);
  const firstNegative = keys.findIndex((raw) => raw >= half);
  const positives = firstNegative < 0 ? keys.length : firstNegative;
  const negatives = keys.length - positives;
  const order = (index: number) => (index < negatives ? keys.length - 1 - index : index - negatives);
  return {
    keys: keys.map((_, index) => {
      const raw = keys[order(index)] ?? 0;
      return raw >= half ? 2 * half - 1 - raw : raw + half;
    }),
    counts: counts.map((_, index) => counts[order(index)] ?? 0),
  };
};

/** The smallest and the largest number with a key, both inclusive. */
export type KeyEdges = (key: number) => { readonly low: number; readonly high: number };

const floatEdges = (bits: number, magnitudeEdge: (raw: number, upper: boolean) => number): KeyEdges => {
  const half = 2 ** (bits - 1);
  return (key) => {
    const negative = key < half;
    const raw = negative ? half - 1 - key : key - half;
    const near = magnitudeEdge(raw, false);
    const far = magnitudeEdge(raw, true);
    return negative ? { low: -far, high: -near } : { low: near, high: far };
  };
};

const float32Edges = (): KeyEdges => {
  const value = new Float32Array(1);
  const pattern = new Uint32Array(value.buffer);
  return floatEdges(16, (raw, upper) => {
    pattern[0] = (raw << 16) | (upper ? 0xffff : 0);
    return value[0] ?? 0;
  });
};

const float64Edges = (): KeyEdges => {
  const value = new Float64Array(1);
  const words = new Uint32Array(value.buffer);
  return floatEdges(19, (raw, upper) => {
    words[1] = (raw << 13) | (upper ? 0x1fff : 0);
    words[0] = upper ? 0xffffffff : 0;
    return value[0] ?? 0;
  });
};

/**
 * How to find the numbers of a key. Of integer encodings the edges are integers: a key of numbers below 256 holds one
 * integer only. (Integers that round to a float32 may lie outside by half a unit in its last place.)
 */
export const keyEdges = (encoding: WideEncoding): KeyEdges => {
  switch (encoding) {
    case 'f64':
      return float64Edges();
    case 'f32':
      return float32Edges();
    default: {
      const edges = float32Edges();
      return (key) => {
        const { low, high } = edges(key);
        return { low: Math.ceil(low), high: Math.floor(high) };
      };
    }
  }
};
