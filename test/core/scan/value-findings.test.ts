import { describe, expect, it } from 'vitest';
import { valueFindings } from '../../../src/core/scan/value-findings.ts';
import type { TensorStats } from '../../../src/shared/checkpoint-types.ts';
import { emptyStats } from '../../support/empty-stats.ts';

const HEALTHY: TensorStats = { ...emptyStats('w', 'F32'), count: 1000, zeros: 10, min: -1, max: 1, mean: 0, std: 0.5 };

const found = (changes: Partial<TensorStats>, boolOutOfRange = 0): readonly (readonly [string, string, string])[] =>
  valueFindings({ ...HEALTHY, ...changes }, boolOutOfRange, { file: 'm', tensorId: 7 }).map(
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

  it('names the tensor by name and by row', () => {
    expect(valueFindings({ ...HEALTHY, nan: 1 }, 0, { file: 'm', tensorId: 7 })).toMatchObject([
      { file: 'm', tensorId: 7, tensor: 'w' },
    ]);
  });
});
