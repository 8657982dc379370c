import type { ByteSource } from '../bytes/byte-source.ts';
import { readBytes, readInto } from '../bytes/checked-read.ts';
import { packElements } from './pack-elements.ts';
import { CHUNK_BYTES, elementsPerGroup, type PlannedRead, planReads } from './plan-reads.ts';
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
  /** Turns stored elements into the tensor's own, in place. */
  readonly restore?: (bytes: Uint8Array) => void;
  /**
   * Reads of exactly its length (of CHUNK_BYTES) go here instead of into memory of their own: such a chunk is good until
   * the next one is asked for.
   */
  readonly buffer?: Uint8Array<ArrayBuffer> | undefined;
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

/** Reads elements `[start, start + count)`, with whatever shares their first and last byte. */
const readElements = async (span: ElementSpan, start: number, count: number): Promise<ElementChunk> => {
  const group = elementsPerGroup(span.bits);
  const groupBytes = (group * span.bits) / 8;
  const firstGroup = Math.floor(start / group);
  const endGroup = Math.ceil((start + count) / group);
  const length = (endGroup - firstGroup) * groupBytes;
  const offset = span.begin + firstGroup * groupBytes;
  const { source, buffer } = span;
  if (buffer?.byteLength === length) {
    await readInto(source, offset, buffer);
    return { bytes: buffer, firstElement: start - firstGroup * group, count };
  }
  const bytes = await readBytes(source, offset, length);
  return { bytes, firstElement: start - firstGroup * group, count };
};

/** Carries out one planned read. */
const readPicks = async (span: ElementSpan, { low, high, picks }: PlannedRead): Promise<ElementChunk> => {
  const chunk = await readElements(span, low, high - low);
  const [only] = picks;
  if (only !== undefined && picks.length === 1 && only.step === 1) {
    return chunk;
  }
  const from = { bytes: chunk.bytes, bits: span.bits, highestFirst: span.highestFirst === true };
  const count = picks.reduce((sum, pick) => sum + pick.count, 0);
  const bytes = new Uint8Array(Math.ceil((count * span.bits) / 8));
  let at = 0;
  for (const pick of picks) {
    packElements(from, { ...pick, start: chunk.firstElement + pick.start - low }, bytes, at);
    at += pick.count;
  }
  return { bytes, firstElement: 0, count };
};

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
  for (const read of planReads(runs, span.bits)) {
    const chunk = await readPicks(span, read);
    span.restore?.(chunk.bytes);
    yield chunk;
  }
}

/**
 * Reads runs of elements in order, in chunks of bounded size: memory stays the same however large the tensor is.
 *
 * @throws whatever the source's reads throw.
 */
export const elementChunks = (span: ElementSpan, runs: Iterable<ElementRun>): AsyncGenerator<ElementChunk> =>
  span.bits % 8 === 0 ? joined(separate(span, runs), span.bits) : separate(span, runs);
