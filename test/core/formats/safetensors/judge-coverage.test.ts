import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FindingList } from '../../../../src/core/finding-list.ts';
import { type Coverage, judgeCoverage } from '../../../../src/core/formats/safetensors/judge-coverage.ts';
import { TensorTable } from '../../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../../src/core/tensor/tensor-table-builder.ts';
import type { TensorRow } from '../../../../src/shared/checkpoint-types.ts';
import type { Finding } from '../../../../src/shared/findings.ts';

const START = 100;

interface Judged {
  readonly coverage: Coverage;
  readonly findings: readonly Finding[];
  readonly rows: readonly TensorRow[];
}

type Range = readonly [begin: number, end: number] | undefined;

/** Judges ranges relative to the data region of a file with that many bytes of data; names are a, b, c, … */
const judge = (ranges: readonly Range[], dataBytes: number, names: readonly string[] = []): Judged => {
  const builder = new TensorTableBuilder(['m']);
  ranges.forEach((range, index) => {
    builder.add({
      name: names[index] ?? String.fromCharCode(97 + index),
      dtype: 'U8',
      shape: range === undefined ? [] : [Math.max(range[1] - range[0], 0)],
      count: 0,
      begin: range === undefined ? undefined : START + range[0],
      end: range === undefined ? undefined : START + range[1],
      layout: 'contiguous',
      file: 0,
    });
  });
  const list = new FindingList();
  const coverage = judgeCoverage(builder, { file: 'm', fileSize: START + dataBytes, dataStart: START }, list);
  return { coverage, findings: list.list(), rows: new TensorTable(builder.finish()).rows() };
};

const told = (findings: readonly Finding[]): readonly (readonly [string, string | undefined, number | undefined])[] =>
  findings.map(({ code, tensor, offset }) => [code, tensor, offset === undefined ? undefined : offset - START]);

describe('ranges that cover the data', () => {
  it.each<readonly [string, Range[], number]>([
    [
      'in order',
      [
        [0, 4],
        [4, 8],
      ],
      8,
    ],
    [
      'in reverse order',
      [
        [4, 8],
        [0, 4],
      ],
      8,
    ],
    [
      'with an empty one at the start, listed last',
      [
        [0, 4],
        [0, 0],
      ],
      4,
    ],
    [
      'with two empty ones between',
      [
        [0, 4],
        [4, 4],
        [4, 4],
        [4, 8],
      ],
      8,
    ],
    [
      'with an empty one at the end',
      [
        [0, 4],
        [4, 4],
      ],
      4,
    ],
    ['of no tensors', [], 0],
    ['of one empty tensor', [[0, 0]], 0],
  ])('%s give no finding', (_what, ranges, size) => {
    const { coverage, findings, rows } = judge(ranges, size);
    expect(findings).toEqual([]);
    expect(coverage).toEqual({ claimed: size, unclaimed: [], missing: 0, unplaced: 0 });
    expect(rows.every(({ readable }) => readable)).toBe(true);
  });
});

describe('shared bytes', () => {
  it('all of them: shared-range names both, and both stay usable', () => {
    const { findings, rows, coverage } = judge(
      [
        [0, 16],
        [0, 16],
      ],
      16,
    );
    expect(told(findings)).toEqual([['shared-range', 'a', 0]]);
    expect(findings[0]?.message).toBe('2 tensors share the same 16 bytes [100, 116): "a", "b"');
    expect(rows.every(({ readable }) => readable)).toBe(true);
    expect(coverage.claimed).toBe(16);
  });

  it('of many tensors are one finding that names five', () => {
    const { findings } = judge(new Array<Range>(8).fill([0, 16]), 16);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toBe(
      '8 tensors share the same 16 bytes [100, 116): "a", "b", "c", "d", "e" and 3 more',
    );
  });

  it('some of them: overlap names both and the bytes', () => {
    const { findings, rows, coverage } = judge(
      [
        [0, 16],
        [8, 24],
      ],
      24,
    );
    expect(told(findings)).toEqual([['overlap', 'b', 8]]);
    expect(findings[0]?.message).toBe('tensor "b" shares 8 bytes [108, 116) with tensor "a"');
    expect(rows.every(({ readable }) => readable)).toBe(true);
    expect(coverage.claimed).toBe(24);
  });

  it('one inside another', () => {
    const { findings } = judge(
      [
        [0, 32],
        [8, 12],
      ],
      32,
    );
    expect(findings[0]?.message).toBe('tensor "b" shares 4 bytes [108, 112) with tensor "a"');
  });

  it('of the first and the third after sorting are found: a running maximum, not neighbours', () => {
    const { findings } = judge(
      [
        [0, 30],
        [4, 6],
        [20, 32],
      ],
      32,
    );
    expect(told(findings)).toEqual([
      ['overlap', 'b', 4],
      ['overlap', 'c', 20],
    ]);
    expect(findings[1]?.message).toBe('tensor "c" shares 10 bytes [120, 130) with tensor "a"');
  });

  it('an empty tensor inside another', () => {
    const { findings } = judge(
      [
        [0, 16],
        [8, 8],
      ],
      16,
    );
    expect(findings[0]?.message).toBe('tensor "b" is empty and lies inside the range of tensor "a"');
  });

  it('are told with short names, however long those are', () => {
    const { findings } = judge(
      [
        [0, 16],
        [8, 24],
        [0, 16],
      ],
      24,
      ['x'.repeat(100_000), 'y'.repeat(100_000), 'z'],
    );
    expect(findings.map(({ code }) => code)).toEqual(['shared-range', 'overlap']);
    expect(Math.max(...findings.map(({ message }) => message.length))).toBeLessThan(700);
    expect(findings[1]?.tensor).toHaveLength(100_000);
  });
});

describe('bytes of no tensor', () => {
  it('before, between and after are told apart', () => {
    const { coverage, findings } = judge(
      [
        [8, 16],
        [24, 40],
      ],
      43,
    );
    expect(findings).toEqual([]);
    expect(coverage.unclaimed).toEqual([
      { begin: 100, end: 108, before: 0 },
      { begin: 116, end: 124, before: 1 },
      { begin: 140, end: 143, before: undefined },
    ]);
    expect(coverage.claimed).toBe(24);
  });

  it('may belong to tensors without a usable range, which are counted', () => {
    expect(judge([[0, 4], undefined, [8, 4]], 12).coverage).toMatchObject({
      unplaced: 2,
      unclaimed: [{ begin: 104, end: 112, before: undefined }],
    });
  });
});

describe('ranges beyond the end', () => {
  it('cut off: names what is missing, the rest stays usable', () => {
    const { findings, rows, coverage } = judge(
      [
        [0, 16],
        [16, 32],
      ],
      23,
    );
    expect(told(findings)).toEqual([['truncated', 'b', 16]]);
    expect(findings[0]?.message).toBe(
      'tensor "b" is cut off: 7 of its 16 bytes are present; expected 132 bytes, file has 123, 9 missing',
    );
    expect(rows.map(({ readable }) => readable)).toEqual([true, false]);
    expect(rows[1]?.problem).toBe('cut off: 7 of its 16 bytes are present');
    expect(coverage).toMatchObject({ missing: 9, claimed: 23, unclaimed: [] });
  });

  it('cut exactly between tensors', () => {
    const { findings, coverage } = judge(
      [
        [0, 16],
        [16, 32],
      ],
      16,
    );
    expect(findings[0]?.message).toContain(
      '0 of its 16 bytes are present; expected 132 bytes, file has 116, 16 missing',
    );
    expect(coverage.missing).toBe(16);
  });

  it('all data missing: every tensor', () => {
    const { findings, coverage } = judge(
      [
        [0, 16],
        [16, 32],
        [32, 48],
      ],
      0,
    );
    expect(told(findings).map(([code, tensor]) => [code, tensor])).toEqual([
      ['truncated', 'a'],
      ['truncated', 'b'],
      ['truncated', 'c'],
    ]);
    expect(coverage).toMatchObject({ missing: 48, claimed: 0 });
  });

  it('behind a hole past the end no download explains: out of range', () => {
    const { findings, rows, coverage } = judge(
      [
        [0, 16],
        [1000, 1016],
      ],
      16,
    );
    expect(told(findings)).toEqual([['offsets-out-of-range', 'b', 1000]]);
    expect(findings[0]?.message).toBe(
      'tensor "b": its range [1,100, 1,116) lies outside the file, which has 116 bytes',
    );
    expect(rows.map(({ readable }) => readable)).toEqual([true, false]);
    expect(coverage).toMatchObject({ missing: 0, unplaced: 1 });
  });
});

describe('whatever the order of the header', () => {
  const range = fc
    .tuple(fc.nat({ max: 40 }), fc.nat({ max: 12 }))
    .map(([begin, length]): Range => [begin, begin + length]);

  it('findings and coverage are the same', () => {
    fc.assert(
      fc.property(
        fc.array(range, { maxLength: 8 }).chain((ranges) =>
          fc.record({
            ranges: fc.constant(ranges),
            order: fc.shuffledSubarray(
              ranges.map((_, index) => index),
              { minLength: ranges.length },
            ),
            size: fc.nat({ max: 60 }),
          }),
        ),
        ({ ranges, order, size }) => {
          const names = ranges.map((_, index) => `t${index}`);
          const one = judge(ranges, size, names);
          const other = judge(
            order.map((index) => ranges[index]),
            size,
            order.map((index) => names[index] ?? ''),
          );
          const places = ({ findings }: Judged): string[] =>
            findings.map(({ code, offset }) => `${code} ${offset}`).sort();
          expect(places(other)).toEqual(places(one));
          expect(other.coverage.claimed).toBe(one.coverage.claimed);
          expect(other.coverage.missing).toBe(one.coverage.missing);
          expect(other.coverage.unclaimed.map(({ begin, end }) => [begin, end])).toEqual(
            one.coverage.unclaimed.map(({ begin, end }) => [begin, end]),
          );
          const usable = ({ rows }: Judged): string[] =>
            rows
              .filter((row) => row.readable)
              .map((row) => row.name)
              .sort();
          expect(usable(other)).toEqual(usable(one));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('counts each byte once and calls the rest unclaimed', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), fc.nat({ max: 60 }), (ranges, size) => {
        const { coverage, rows } = judge(ranges, size);
        const marks = new Set<number>();
        for (const { offset = 0, bytes = 0 } of rows) {
          for (let at = offset; at < Math.min(offset + bytes, START + size); at += 1) {
            marks.add(at);
          }
        }
        expect(coverage.claimed).toBe(marks.size);
        const unclaimed = coverage.unclaimed.reduce((sum, { begin, end }) => sum + end - begin, 0);
        expect(unclaimed).toBe(size - marks.size);
        for (const { begin, end } of coverage.unclaimed) {
          for (let at = begin; at < end; at += 1) {
            expect(marks.has(at)).toBe(false);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
