import type { QuantisedRow } from '../../shared/checkpoint-types.ts';
import { type DtypeInfo, dtypeInfo } from '../dtypes/dtype-table.ts';
import { elementNumbers } from '../dtypes/exact-values.ts';
import { storedOfQuantised } from '../dtypes/quantised-dtypes.ts';
import type { ElementChunk } from './element-chunks.ts';
import type { Picked } from './slice.ts';

/**
 * What the integers of a quantised tensor stand for: (q − zero point) · scale, with one of each or one for every index of
 * dimension `axis`. `float-channels` have zero points that are floats. The three differ in how torch rounds.
 */
export interface Quantisation {
  /** As listed: `QI8`, `QU8`, `QI32`, `QU4`, `QU2`. */
  readonly dtype: string;
  readonly scheme: 'tensor' | 'channels' | 'float-channels';
  /** The dimension that has a scale for each index; 0 and without a meaning for `tensor`. */
  readonly axis: number;
  readonly scales: Float64Array<ArrayBuffer>;
  readonly zeroPoints: Float64Array<ArrayBuffer>;
}

/** As the list of tensors has it. */
export const quantisedRow = ({ scheme, axis, scales, zeroPoints }: Quantisation): QuantisedRow =>
  scheme === 'tensor'
    ? { scheme, scale: scales[0] ?? Number.NaN, zeroPoint: zeroPoints[0] ?? Number.NaN }
    : { scheme, axis };

/**
 * Which channel the elements of a selection belong to, in result order: element `k` to channel
 * `first + (floor((k + offset) / inner) mod count) · step`.
 */
export interface Channels {
  readonly offset: number;
  readonly inner: number;
  readonly count: number;
  readonly first: number;
  readonly step: number;
}

const ONE_CHANNEL: Channels = { offset: 0, inner: 1, count: 1, first: 0, step: 0 };

const product = (sizes: readonly number[]): number => sizes.reduce((total, size) => total * size, 1);

/** Channels of a slice's elements. */
export const channelsOfSlice = ({ scheme, axis }: Quantisation, picked: readonly Picked[]): Channels => {
  const own = picked[axis];
  if (scheme === 'tensor' || own === undefined) {
    return ONE_CHANNEL;
  }
  const inner = product(picked.slice(axis + 1).map(({ count }) => count));
  return { offset: 0, inner: Math.max(inner, 1), count: Math.max(own.count, 1), first: own.start, step: own.step };
};

/** Channels of the elements from row-major index `start` on. */
export const channelsOfRange = ({ scheme, axis }: Quantisation, sizes: readonly number[], start: number): Channels => {
  if (scheme === 'tensor') {
    return ONE_CHANNEL;
  }
  const inner = Math.max(product(sizes.slice(axis + 1)), 1);
  return { offset: start, inner, count: Math.max(sizes[axis] ?? 1, 1), first: 0, step: 1 };
};

const unpacked = ({ bits }: DtypeInfo, { bytes, firstElement, count }: ElementChunk): Uint8Array => {
  const codes = new Uint8Array(count);
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  for (let index = 0; index < count; index += 1) {
    const at = firstElement + index;
    codes[index] = ((bytes[Math.floor(at / perByte)] ?? 0) >> ((at % perByte) * bits)) & mask;
  }
  return codes;
};

const integersOf = (stored: DtypeInfo, chunk: ElementChunk): ArrayLike<number> =>
  dtypeInfo(stored.name) === undefined
    ? unpacked(stored, chunk)
    : elementNumbers(stored.name, chunk.bytes, chunk.count, { firstElement: chunk.firstElement });

const { fround } = Math;

/** The value of one integer, rounded at each step as torch 2.13 does (shown by test/oracle/torch_files.py). */
const VALUE_OF: Readonly<Record<Quantisation['scheme'], (q: number, scale: number, zeroPoint: number) => number>> = {
  // Scale and difference become float32 before they are multiplied.
  tensor: (q, scale, zeroPoint) => fround(scale) * fround(q - zeroPoint),
  // The difference is one of float32 numbers, the product is made in double precision.
  channels: (q, scale, zeroPoint) => fround(fround(q) - fround(zeroPoint)) * scale,
  'float-channels': (q, scale, zeroPoint) => fround(fround(q) - fround(zeroPoint)) * fround(scale),
};

/** What the integers of one chunk stand for, as float32; `done` elements of the selection came before it. */
const dequantised = (
  quantisation: Quantisation,
  channels: Channels,
  chunk: ElementChunk,
  done: number,
): ElementChunk => {
  const { dtype, scheme, scales, zeroPoints } = quantisation;
  const stored = storedOfQuantised(dtype);
  const values = new Float32Array(chunk.count);
  const integers = stored === undefined ? [] : integersOf(stored, chunk);
  const value = VALUE_OF[scheme];
  const { offset, inner, count, first, step } = channels;
  for (let index = 0; index < values.length; index += 1) {
    const channel = first + (Math.floor((done + index + offset) / inner) % count) * step;
    // What is not there makes NaN, never a number.
    values[index] = value(
      integers[index] ?? Number.NaN,
      scales[channel] ?? Number.NaN,
      zeroPoints[channel] ?? Number.NaN,
    );
  }
  return { bytes: new Uint8Array(values.buffer), firstElement: 0, count: chunk.count };
};

/** The values of stored integers as float32 elements, chunk by chunk of a selection. */
export async function* dequantisedChunks(
  quantisation: Quantisation,
  channels: Channels,
  chunks: AsyncIterable<ElementChunk>,
): AsyncGenerator<ElementChunk> {
  let done = 0;
  for await (const chunk of chunks) {
    yield dequantised(quantisation, channels, chunk, done);
    done += chunk.count;
  }
}
