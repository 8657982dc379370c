import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../../src/renderer/features/table/filter-query.ts';
import { searchName } from '../../../../src/renderer/features/table/shown-rows.ts';
import { makeRow } from '../../tensor-row-maker.ts';

const rows = [
  makeRow(0, 'model.layers.0.q_proj.weight', { dtype: 'BF16', shape: [4096, 1024] }),
  makeRow(1, 'model.layers.0.k_proj.weight', { dtype: 'F16', shape: [1024, 1024] }),
  makeRow(2, 'lm head.Bias', { dtype: 'F32', readable: false, file: 'model-00002.safetensors' }),
  makeRow(3, 'x\u202ey', { dtype: 'F8_E4M3' }),
];

const passing = (query: string): readonly number[] => {
  const test = compileFilter(query);
  return rows.filter((row) => test === undefined || test(row, searchName(row.name))).map(({ id }) => id);
};

describe('compileFilter', () => {
  it.each([
    ['', [0, 1, 2, 3]],
    ['  ', [0, 1, 2, 3]],
    ['Q_PROJ', [0]],
    ['layers weight', [0, 1]],
    ['bias', [2]],
    ['"lm head"', [2]],
    ['dtype:bf16', [0]],
    ['dtype:BF16,f16', [0, 1]],
    ['dtype:', [0, 1, 2, 3]],
    ['-dtype:bf16', [1, 2, 3]],
    ['layers -k_proj', [0]],
    ['layers.*.weight dtype:f16', [1]],
    ['shape:4096', [0]],
    ['shape:1024x1024', [1]],
    ['file:00002', [2]],
    ['is:unreadable', [2]],
    ['is:absent', []],
    ['is:damaged', [2]],
    ['-', [0, 1, 2, 3]],
    ['unknown:field', []],
    ['\\u{202e}', [3]],
  ])('%s', (query, expected) => {
    expect(passing(query)).toEqual(expected);
  });
});
