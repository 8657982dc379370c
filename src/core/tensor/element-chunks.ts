import type { ByteSource } from '../bytes/byte-source.ts';
import { readInto } from '../bytes/checked-read.ts';
import type { ElementRun } from './slice.ts';

/** Where a contiguous tensor's elements lie. */
export interface ElementSpan {
  readonly source: ByteSource;
  /** Absolute byte of element 0. */
  readonly begin: number;
  /** Bits an element takes; elements lie one after the other. */
  readonly bits: number;
  /** Of elements that share bytes, the first lies in a byte's highest bits; otherwise in its lowest. */
  readonly highestFirst?: boolean;
}

/**
 * Elements in result order, as raw bits. Element 0 of the chunk is element `firstElement` of `bytes`: not 0 only for
 * dtypes under 8 bits, whose runs may begin inside a byte.
 */
export interface ElementChunk {
  readonly bytes: Uint8Array;
  readonly firstElement: number;
  readonly count: number;
}

/** Bytes read at once. Large enough for the memory's speed, small enough that decoding one takes a few milliseconds. */
export const CHUNK_BYTES = 1024 * 1024;

/** Elements that fill whole bytes together: 1 for whole-byte dtypes, 2 for 4 bits, 4 for 6 bits. */
export const elementsPerGroup = (bits: number): number => (bits % 8 === 0 ? 1 : bits === 6 ? 4 : 8 / bits);

/** Reads elements `[start, start + count)`, with whatever shares their first and last byte. */
const readElements = async (
  span: ElementSpan,
  start: number,
  count: number,
  target?: Uint8Array,
): Promise<ElementChunk> => {
  const group = elementsPerGroup(span.bits);
  const groupBytes = (group * span.bits) / 8;
  const firstGroup = Math.floor(start / group);
  const endGroup = Math.ceil((start + count) / group);
  const length = (endGroup - firstGroup) * groupBytes;
  const bytes = target?.subarray(0, length) ?? new Uint8Array(length);
  await readInto(span.source, span.begin + firstGroup * groupBytes, bytes);
  return { bytes, firstElement: start - firstGroup * group, count };
};

/** Where a value of `bits` bits at bit `at` lies in the 16 bits made of its byte and the next. */
const shiftOf = (at: number, bits: number, highestFirst: boolean): number =>
  highestFirst ? 16 - bits - (at & 7) : at & 7;

const pairAt = (bytes: Uint8Array, at: number, highestFirst: boolean): number => {
  const byte = bytes[at >> 3] ?? 0;
  const next = bytes[(at >> 3) + 1] ?? 0;
  return highestFirst ? (byte << 8) | next : byte | (next << 8);
};

/** Every `step`-th element of a chunk from its element `first`, packed. `step` may be negative. */
const gather = (
  chunk: ElementChunk,
  { bits, highestFirst = false }: ElementSpan,
  { start: first, step, count }: ElementRun,
): Uint8Array => {
  const origin = chunk.firstElement + first;
  const packed = new Uint8Array(Math.ceil((count * bits) / 8));
  if (bits % 8 === 0) {
    const size = bits / 8;
    for (let k = 0; k < count; k += 1) {
      const from = (origin + k * step) * size;
      for (let byte = 0; byte < size; byte += 1) {
        packed[k * size + byte] = chunk.bytes[from + byte] ?? 0;
      }
    }
    return packed;
  }
  const mask = (1 << bits) - 1;
  for (let k = 0; k < count; k += 1) {
    const from = (origin + k * step) * bits;
    const value = (pairAt(chunk.bytes, from, highestFirst) >> shiftOf(from, bits, highestFirst)) & mask;
    const to = k * bits;
    const pair = pairAt(packed, to, highestFirst) | (value << shiftOf(to, bits, highestFirst));
    packed[to >> 3] = highestFirst ? pair >> 8 : pair & 0xff;
    packed[(to >> 3) + 1] = highestFirst ? pair & 0xff : pair >> 8;
  }
  return packed;
};

/** A run of elements side by side, in pieces of at most {@link CHUNK_BYTES}. */
async function* contiguousChunks(span: ElementSpan, run: ElementRun): AsyncGenerator<ElementChunk> {
  const group = elementsPerGroup(span.bits);
  const most = Math.floor((CHUNK_BYTES * 8) / span.bits / group) * group;
  for (let done = 0; done < run.count; ) {
    // Pieces after the first begin at a whole byte.
    const head = (run.start + done) % group;
    const count = Math.min(run.count - done, most - head);
    yield await readElements(span, run.start + done, count);
    done += count;
  }
}

/** A run of elements some way apart, gathered into packed pieces. */
async function* stridedChunks(span: ElementSpan, run: ElementRun): AsyncGenerator<ElementChunk> {
  const stride = Math.abs(run.step);
  const reach = Math.max(Math.floor((CHUNK_BYTES * 8) / span.bits / stride), 1);
  for (let done = 0; done < run.count; ) {
    const count = Math.min(run.count - done, reach);
    const a = run.start + done * run.step;
    const b = run.start + (done + count - 1) * run.step;
    const low = Math.min(a, b);
    const chunk = await readElements(span, low, Math.abs(a - b) + 1);
    yield { bytes: gather(chunk, span, { start: a - low, step: run.step, count }), firstElement: 0, count };
    done += count;
  }
}

/** Joins short chunks of whole-byte elements, so that a slice of many short runs is not a chunk each. */
async function* joined(chunks: AsyncIterable<ElementChunk>, bits: number): AsyncGenerator<ElementChunk> {
  const LONG = CHUNK_BYTES / 4;
  let parts: Uint8Array[] = [];
  let held = 0;
  const flush = (): ElementChunk => {
    const bytes = new Uint8Array(held);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.byteLength;
    }
    parts = [];
    held = 0;
    return { bytes, firstElement: 0, count: (bytes.byteLength * 8) / bits };
  };
  for await (const chunk of chunks) {
    if (chunk.bytes.byteLength < LONG) {
      parts.push(chunk.bytes);
      held += chunk.bytes.byteLength;
      if (held >= LONG) {
        yield flush();
      }
    } else {
      if (held > 0) {
        yield flush();
      }
      yield chunk;
    }
  }
  if (held > 0) {
    yield flush();
  }
}

async function* separate(span: ElementSpan, runs: Iterable<ElementRun>): AsyncGenerator<ElementChunk> {
  for (const run of runs) {
    yield* run.step === 1 ? contiguousChunks(span, run) : stridedChunks(span, run);
  }
}

/**
 * Reads runs of elements in order, in chunks of bounded size: memory stays the same however large the tensor is.
 *
 * @throws whatever the source's reads throw.
 */
export const elementChunks = (span: ElementSpan, runs: Iterable<ElementRun>): AsyncGenerator<ElementChunk> =>
  span.bits % 8 === 0 ? joined(separate(span, runs), span.bits) : separate(span, runs);
