import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES, elementsPerGroup, planReads } from '../../../src/core/tensor/plan-reads.ts';
import { type ElementRun, pickSlice, sliceRuns } from '../../../src/core/tensor/slice.ts';

const indexes = (runs: Iterable<ElementRun>): number[] =>
  Array.from(runs).flatMap(({ start, step, count }) => Array.from({ length: count }, (_, k) => start + k * step));

const NEAR = 4096;

describe('planReads', () => {
  it('a column of narrow rows is one read, of wide rows one read an element', () => {
    const narrow = [...planReads(sliceRuns(pickSlice([{}, { index: 3 }], [100, 1024]), [100, 1024]), 32)];
    expect(narrow).toHaveLength(1);
    expect(narrow[0]).toMatchObject({ low: 3, high: 99 * 1024 + 4 });
    const wide = [...planReads(sliceRuns(pickSlice([{}, { index: 3 }], [100, 4096]), [100, 4096]), 32)];
    expect(wide).toHaveLength(100);
    expect(wide[1]).toEqual({ low: 4099, high: 4100, picks: [{ start: 4099, step: 1, count: 1 }] });
  });

  it('whole rows that follow each other are one run', () => {
    const runs = [
      { start: 0, step: 1, count: 10 },
      { start: 10, step: 1, count: 10 },
    ];
    expect([...planReads(runs, 32)]).toEqual([{ low: 0, high: 20, picks: [{ start: 0, step: 1, count: 20 }] }]);
  });

  it('picks exactly the elements asked for, in order, from reads of bounded size that waste little', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 });
    const plan = sizes.chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        bits: fc.constantFrom(4, 6, 8, 16, 32, 64),
        items: fc.tuple(
          ...shape.map((size) =>
            fc.oneof(
              fc.record({ index: fc.integer({ min: -size, max: size - 1 }) }),
              fc.record({
                start: fc.option(fc.integer({ min: -70, max: 70 }), { nil: undefined }),
                stop: fc.option(fc.integer({ min: -70, max: 70 }), { nil: undefined }),
                step: fc.option(
                  fc.integer({ min: -9, max: 9 }).filter((step) => step !== 0),
                  { nil: undefined },
                ),
              }),
            ),
          ),
        ),
      }),
    );
    fc.assert(
      fc.property(plan, ({ shape, bits, items }) => {
        const runs = [...sliceRuns(pickSlice(items, shape), shape)];
        const reads = [...planReads(runs, bits)];
        expect(reads.flatMap(({ picks }) => indexes(picks))).toEqual(indexes(runs));
        for (const { low, high, picks } of reads) {
          const touched = indexes(picks).sort((a, b) => a - b);
          expect([touched[0], touched.at(-1)]).toEqual([low, high - 1]);
          expect(((high - low) * bits) / 8).toBeLessThanOrEqual(CHUNK_BYTES);
          touched.forEach((index, k) => {
            expect(((index - (touched[k - 1] ?? index)) * bits) / 8).toBeLessThanOrEqual(NEAR + 8);
          });
        }
      }),
    );
  });

  it('cuts long runs at whole bytes, after the first piece', () => {
    for (const bits of [4, 6, 16, 64]) {
      const count = Math.floor((CHUNK_BYTES * 8) / bits) * 3;
      const reads = [...planReads([{ start: 1, step: 1, count }], bits)];
      expect(reads.length).toBeGreaterThanOrEqual(3);
      for (const { low } of reads.slice(1)) {
        expect(low % elementsPerGroup(bits)).toBe(0);
      }
      expect(reads.at(-1)?.high).toBe(count + 1);
    }
  });

  it('reads nothing for nothing', () => {
    expect([...planReads([], 32)]).toEqual([]);
    expect([...planReads([{ start: 3, step: 1, count: 0 }], 32)]).toEqual([]);
  });
});
