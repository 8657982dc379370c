import { expect, it } from 'vitest';
import { selectedNames } from '../../../src/core/writing/selected-names.ts';

const picked = (include: string[] | undefined, exclude: string[] | undefined): string[] =>
  ['a.weight', 'a.bias', 'b.weight'].filter(selectedNames({ include, exclude }));

it('takes what is included, or everything, and never what is excluded', () => {
  expect(picked(undefined, undefined)).toEqual(['a.weight', 'a.bias', 'b.weight']);
  expect(picked([], ['*.bias'])).toEqual(['a.weight', 'b.weight']);
  expect(picked(['a.*', 'b.weight'], undefined)).toEqual(['a.weight', 'a.bias', 'b.weight']);
  expect(picked(['a.*'], ['*.weight'])).toEqual(['a.bias']);
  expect(picked(['none'], undefined)).toEqual([]);
});
