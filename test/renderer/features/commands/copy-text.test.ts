import { describe, expect, it } from 'vitest';
import { tensorJson, tensorsTsv } from '../../../../src/renderer/features/commands/copy-text.ts';
import { makeRow } from '../../tensor-row-maker.ts';

describe('copying', () => {
  it('writes a tensor as strict JSON', () => {
    const row = makeRow(3, 'a"b\u202e', { shape: [2n ** 60n, 1], parameters: 2n ** 60n });
    expect(JSON.parse(tensorJson(row, undefined))).toMatchObject({
      id: 3,
      name: 'a"b\u202e',
      shape: ['1152921504606846976', 1],
      contiguous: true,
    });
  });

  it('writes rows as a table that no name can break', () => {
    const [head, first, ...rest] = tensorsTsv([makeRow(0, 'a\tb"c'), makeRow(1, 'd')], new Map()).split('\n');
    expect(head?.split('\t')[0]).toBe('name');
    expect(first).toBe('"a\tb""c"\tF32\t[2]\t2\t8\t0\t\t\t\t\t\t');
    expect(rest).toHaveLength(1);
  });
});
