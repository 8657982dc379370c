import { describe, expect, it } from 'vitest';
import { folderPattern, patternsOf, selectRows } from '../../../../src/renderer/features/writing/selection.ts';
import { makeRow, makeRows } from '../../tensor-row-maker.ts';

describe('selectRows', () => {
  const rows = [
    ...makeRows('model.a.weight', 'model.a.bias', 'model.b.weight'),
    makeRow(3, 'model.b.bias', { readable: false, layout: 'absent', bytes: undefined }),
  ];

  it.each<readonly [readonly string[], readonly string[], number, number, number]>([
    [[], [], 4, 24, 1],
    [['*'], [], 4, 24, 1],
    [['*.weight'], [], 2, 16, 0],
    [['model.a.*', 'model.b.weight'], ['*.bias'], 2, 16, 0],
    [['a.weight'], [], 0, 0, 0],
    [[''], [], 0, 0, 0],
    [[], ['*'], 0, 0, 0],
  ])('include %j, exclude %j', (include, exclude, tensors, bytes, refused) => {
    const selection = selectRows(rows, include, exclude);
    expect([selection.tensors, selection.bytes, selection.refused.length]).toEqual([tensors, bytes, refused]);
  });
});

it('takes patterns line by line', () => {
  expect(patternsOf(' a.* \n\n*.b\r\n')).toEqual(['a.*', '*.b']);
  expect(patternsOf('  ')).toEqual([]);
});

it('makes a pattern of a folder that finds its tensors, odd names included', () => {
  const rows = makeRows('m.[0].w', 'm.0.w', 'm.[0]', 'x.m.[0].w');
  expect(selectRows(rows, [folderPattern('m.[0]')], []).tensors).toBe(1);
});
