import { describe, expect, it } from 'vitest';
import { indexText, valueFindings } from '../../../src/core/scan/value-findings.ts';
import type { TensorStats } from '../../../src/shared/checkpoint-types.ts';
import { emptyStats } from '../../support/empty-stats.ts';
import { inspectBytes } from '../../support/inspect-bytes.ts';
import { entry, fileBytes, member } from '../../support/safetensors-bytes.ts';

const HEALTHY: TensorStats = { ...emptyStats('w', 'F32'), count: 1000, zeros: 10, min: -1, max: 1, mean: 0, std: 0.5 };

const TABLE = (shape: string, bytes: number) =>
  inspectBytes(fileBytes(`{${member('w', entry('F32', shape, `[0,${bytes}]`))}}`, bytes));
const { content } = await TABLE('[10,100]', 4000);

const found = (changes: Partial<TensorStats>, boolOutOfRange = 0): readonly (readonly [string, string, string])[] =>
  valueFindings({ tensorId: 0, stats: { ...HEALTHY, ...changes }, boolOutOfRange }, content.table).map(
    ({ code, severity, message }) => [code, severity, message],
  );

describe('what numbers give away', () => {
  it('healthy ones nothing', () => {
    expect(found({})).toEqual([]);
  });

  it('has-nan, has-infinity, with counts', () => {
    expect(found({ nan: 1234, posInf: 1, negInf: 2 })).toEqual([
      ['has-nan', 'warning', 'tensor "w" has NaN: 1,234 of 1,000 values'],
      ['has-infinity', 'warning', 'tensor "w" has infinities: 1 +Inf and 2 -Inf of 1,000 values'],
    ]);
  });

  it('bool-not-0-or-1', () => {
    expect(found({}, 3)).toEqual([
      ['bool-not-0-or-1', 'warning', 'tensor "w" is BOOL but 3 of 1,000 values are neither 0 nor 1; shown as true'],
    ]);
  });

  it('all-zero, instead of constant', () => {
    expect(found({ zeros: 1000, min: 0, max: 0 })).toEqual([
      ['all-zero', 'note', 'tensor "w" is all zero: 1,000 values'],
    ]);
  });

  it('constant, only when every value is that one', () => {
    expect(found({ zeros: 0, min: 0.1, max: 0.1 })).toEqual([
      ['constant', 'note', 'tensor "w" is constant: every one of 1,000 values is 0.1'],
    ]);
    expect(found({ zeros: 0, min: 2n ** 60n, max: 2n ** 60n })).toMatchObject([
      ['constant', 'note', /1152921504606846976$/],
    ]);
    expect(found({ zeros: 0, min: 1, max: 1, nan: 1 }).map(([code]) => code)).toEqual(['has-nan']);
    expect(found({ zeros: 0, min: 1, max: 1, posInf: 1 }).map(([code]) => code)).toEqual(['has-infinity']);
  });

  it.each([0, 1])('nothing about %i values', (count) => {
    expect(found({ count, zeros: count, min: 0, max: 0 })).toEqual([]);
  });

  it('all NaN: that, and not that it is constant', () => {
    expect(found({ nan: 1000, zeros: 0, min: undefined, max: undefined }).map(([code]) => code)).toEqual(['has-nan']);
  });

  it('names the tensor by name and row, and the first one by its indexes and its byte', () => {
    const stats = { ...HEALTHY, nan: 1, posInf: 1 };
    const [nan, infinity] = valueFindings(
      { tensorId: 0, stats, boolOutOfRange: 0, first: { nan: 517, infinity: 0 } },
      content.table,
    );
    const begin = content.table.range(0)?.[0] ?? Number.NaN;
    expect(nan).toMatchObject({ tensor: 'w', tensorId: 0, file: 'model.safetensors', offset: begin + 517 * 4 });
    expect(nan?.message).toMatch(/, the first at \[5, 17\]$/);
    expect(infinity).toMatchObject({ offset: begin, message: /, the first at \[0, 0\]$/ });
  });

  it('of a scalar names no index', async () => {
    const { content: scalar } = await TABLE('[]', 4);
    const stats = { ...HEALTHY, count: 1, nan: 1 };
    const [nan] = valueFindings({ tensorId: 0, stats, boolOutOfRange: 0, first: { nan: 0 } }, scalar.table);
    expect(nan?.message).toMatch(/values$/);
  });
});

it.each([
  [0, [3], '[0]'],
  [23, [2, 3, 4], '[1, 2, 3]'],
  [4, [2, 1, 4], '[1, 0, 0]'],
])('element %i of %j is at %s', (element, shape, text) => {
  expect(indexText(element, shape)).toBe(text);
});
