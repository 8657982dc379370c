import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { OutOfRangeError } from '../../../src/core/errors.ts';
import { type ElementChunk, type ElementSpan, elementChunks } from '../../../src/core/tensor/element-chunks.ts';
import { CHUNK_BYTES, elementsPerGroup } from '../../../src/core/tensor/plan-reads.ts';
import type { ElementRun } from '../../../src/core/tensor/slice.ts';

/** Bytes that tell their place: no two neighbourhoods look alike. */
const scrambled = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) {
    bytes[index] = (Math.imul(index + 1, 2654435761) >>> 24) ^ (index >> 8);
  }
  return bytes;
};

/** One element as a bigint, bit by bit. */
const naiveElement = (bytes: Uint8Array, index: number, bits: number, highestFirst: boolean): bigint => {
  let value = 0n;
  for (let bit = 0; bit < bits; bit += 1) {
    const at = index * bits + bit;
    const byte = bytes[Math.floor(at / 8)] ?? 0;
    if (highestFirst) {
      value = (value << 1n) | BigInt((byte >> (7 - (at % 8))) & 1);
    } else {
      value |= BigInt((byte >> (at % 8)) & 1) << BigInt(bit);
    }
  }
  return value;
};

const elementsOf = ({ bytes, firstElement, count }: ElementChunk, bits: number, highestFirst: boolean): bigint[] =>
  Array.from({ length: count }, (_, index) => naiveElement(bytes, firstElement + index, bits, highestFirst));

const collect = async (span: ElementSpan, runs: readonly ElementRun[]): Promise<ElementChunk[]> => {
  const chunks: ElementChunk[] = [];
  for await (const chunk of elementChunks(span, runs)) {
    chunks.push(chunk);
  }
  return chunks;
};

const BEGIN = 5;

const run = (elements: number): fc.Arbitrary<ElementRun> =>
  fc
    .record({
      start: fc.nat({ max: elements - 1 }),
      step: fc.integer({ min: -7, max: 7 }).filter((step) => step !== 0),
      most: fc.nat({ max: 40 }),
    })
    .map(({ start, step, most }) => {
      const room = step > 0 ? Math.floor((elements - 1 - start) / step) : Math.floor(start / -step);
      return { start, step, count: Math.min(most, room + 1) };
    })
    .filter(({ count }) => count > 0);

describe.each([
  [4, false],
  [6, false],
  [6, true],
  [8, false],
  [16, false],
  [32, false],
  [64, false],
])('elements of %i bits, highest bits first: %s', (bits, highestFirst) => {
  const elements = 96;
  const data = scrambled((elements * bits) / 8);
  const file = Uint8Array.from([...new Array<number>(BEGIN).fill(0xee), ...data, 0xee, 0xee]);
  const span: ElementSpan = { source: memorySource(file), begin: BEGIN, bits, highestFirst };

  it('come in order from any runs, whatever their start and step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run(elements), { maxLength: 5 }), async (runs) => {
        const chunks = await collect(span, runs);
        const expected = runs.flatMap(({ start, count, step }) =>
          Array.from({ length: count }, (_, k) => naiveElement(data, start + k * step, bits, highestFirst)),
        );
        expect(chunks.flatMap((chunk) => elementsOf(chunk, bits, highestFirst))).toEqual(expected);
        for (const { count, bytes, firstElement } of chunks) {
          expect(count).toBeGreaterThan(0);
          expect((firstElement + count) * bits).toBeLessThanOrEqual(bytes.byteLength * 8);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('come in chunks of bounded size across several of them', async () => {
    const many = Math.floor((2.5 * CHUNK_BYTES * 8) / bits / 4) * 4;
    const large = scrambled((many * bits) / 8);
    const source = memorySource(large);
    const cases: readonly ElementRun[] = [
      { start: 0, count: many, step: 1 },
      { start: 3, count: many - 5, step: 1 },
      { start: many - 1, count: many, step: -1 },
      { start: 1, count: Math.floor((many - 1) / 3), step: 3 },
      { start: many - 2, count: Math.floor((many - 2) / 1000), step: -1000 },
    ];
    for (const one of cases) {
      let done = 0;
      for await (const chunk of elementChunks({ source, begin: 0, bits, highestFirst }, [one])) {
        expect(chunk.bytes.byteLength).toBeLessThanOrEqual(CHUNK_BYTES + 64);
        // Each chunk's first, middle and last elements: all of them would take minutes.
        for (const k of [0, 1, chunk.count >> 1, chunk.count - 1]) {
          expect(naiveElement(chunk.bytes, chunk.firstElement + k, bits, highestFirst)).toBe(
            naiveElement(large, one.start + (done + k) * one.step, bits, highestFirst),
          );
        }
        done += chunk.count;
      }
      expect(done).toBe(one.count);
    }
  });

  it('are never read outside the span’s own bytes', async () => {
    const asked: [number, number][] = [];
    const whole = memorySource(file);
    const watched = {
      ...whole,
      read: (offset: number, target: Uint8Array) => {
        asked.push([offset, target.byteLength]);
        return whole.read(offset, target);
      },
    };
    await collect({ ...span, source: watched }, [
      { start: 0, count: elements, step: 1 },
      { start: elements - 1, count: elements, step: -1 },
      { start: 1, count: 1, step: 1 },
    ]);
    for (const [offset, length] of asked) {
      expect(offset).toBeGreaterThanOrEqual(BEGIN);
      expect(offset + length).toBeLessThanOrEqual(BEGIN + data.byteLength);
    }
    expect(asked.length).toBeGreaterThan(0);
  });

  it('that are not there are an error, not zeros', async () => {
    await expect(collect(span, [{ start: elements, count: 64, step: 1 }])).rejects.toThrow(OutOfRangeError);
    await expect(collect(span, [{ start: 0, count: 64, step: 20 }])).rejects.toThrow(OutOfRangeError);
  });
});

describe('chunks', () => {
  it('of many short runs are joined', async () => {
    const data = scrambled(400_000);
    const runs = Array.from({ length: 40_000 }, (_, index) => ({ start: index * 10, count: 3, step: 1 }));
    const chunks = await collect({ source: memorySource(data), begin: 0, bits: 8 }, runs);
    expect(chunks.length).toBeLessThan(10);
    const joined = Buffer.concat(chunks.map(({ bytes }) => bytes));
    expect(joined.equals(Buffer.from(runs.flatMap(({ start }) => [...data.subarray(start, start + 3)])))).toBe(true);
    expect(chunks.reduce((sum, { count }) => sum + count, 0)).toBe(120_000);
  });

  it('of no runs are none', async () => {
    expect(await collect({ source: memorySource(new Uint8Array()), begin: 0, bits: 32 }, [])).toEqual([]);
  });

  it('hold whole groups of elements that share bytes', () => {
    expect([4, 6, 8, 16, 32, 64].map(elementsPerGroup)).toEqual([2, 4, 1, 1, 1, 1]);
  });
});
