import { describe, expect, it } from 'vitest';
import {
  alignLines,
  profileLines,
  profileRoles,
  statisticOf,
} from '../../../../src/renderer/features/depth-profile/profile-lines.ts';
import { type TensorNumbers, toNumbers } from '../../../../src/renderer/state/tensor-numbers.ts';
import { emptyStats } from '../../../support/empty-stats.ts';
import { makeRow } from '../../tensor-row-maker.ts';

const numbersOf = (changes: Partial<TensorNumbers>): TensorNumbers => ({
  ...toNumbers(emptyStats('w', 'F32')),
  count: 10,
  ...changes,
});

describe('a statistic of a tensor', () => {
  it.each([
    ['rms', { mean: 3, std: 4 }, 5],
    ['std', { std: 4 }, 4],
    ['min', { min: -(2n ** 60n) }, -(2 ** 60)],
    ['zeros', { zeros: 5 }, 0.5],
    ['zeros', { count: 0 }, undefined],
    ['nan', { nan: 1, posInf: 2, negInf: 3 }, 6],
    ['rms', {}, undefined],
    ['max', {}, undefined],
  ] as const)('%s of %o', (statistic, changes, value) => {
    expect(statisticOf(numbersOf(changes), statistic)).toBe(value);
  });

  it('is unknown before the scan', () => {
    expect(statisticOf(undefined, 'std')).toBeUndefined();
  });
});

describe('lines over depth', () => {
  const names = [
    ...[0, 1, 2].map((layer) => [`h.${layer}.small`, 1] as const),
    ...[0, 1, 5].map((layer) => [`h.${layer}.large`, 100] as const),
    ['head', 5000] as const,
  ];
  const rows = names.map(([name, parameters], id) => makeRow(id, name, { parameters }));
  const roles = profileRoles(rows);

  it('begin with the largest role', () => {
    expect(roles.map(({ role, parameters }) => [role.label, parameters])).toEqual([
      ['h.{}.large', 300],
      ['h.{}.small', 3],
    ]);
  });

  it('have the points that are scanned, and a gap where layers are missing', () => {
    const numbers = new Map([0, 1, 3, 4, 5].map((id) => [id, numbersOf({ std: id })] as const));
    const lines = profileLines(roles, numbers, 'std');
    expect(lines.map(({ points }) => points.map(({ index, value }) => [index, value]))).toEqual([
      [
        [0, 3],
        [1, 4],
        [5, 5],
      ],
      [
        [0, 0],
        [1, 1],
      ],
    ]);
    expect(alignLines(lines)).toEqual({
      layers: [0, 1, 2, 5],
      values: [
        [3, 4, null, 5],
        [0, 1, null, null],
      ],
    });
  });
});
