import { expect, it } from 'vitest';
import { precisionText, targetOf, writtenText } from '../../../../src/renderer/features/writing/write-summary.ts';

const file = (path: string, bytes: number) => ({ name: path, path, bytes });
const CONVERT = { kind: 'convert', params: { output: '' } } as const;
const EXPORT = { kind: 'export', params: { include: '*', folder: '', format: 'npy' } } as const;

it('sums up what was written, and where', () => {
  const one = { written: [file('/m/a.safetensors', 1500)] };
  const two = { written: [file('/m/a.npy', 1500), file('/m/b.npy', 1500)] };
  expect([writtenText(one), writtenText(two), writtenText({ written: [] })]).toEqual([
    '1 file, 1.5 kB',
    '2 files, 3.0 kB',
    '0 files, 0 B',
  ]);
  expect(targetOf(CONVERT, one)).toBe('/m/a.safetensors');
  expect(targetOf(CONVERT, two)).toBe('/m');
  expect(targetOf(EXPORT, one)).toBe('/m');
});

it('tells what was lost, and says nothing where nothing was', () => {
  expect(precisionText({})).toBeUndefined();
  expect(precisionText({ precision: { values: 4, inexact: 0, overflowed: 0 } })).toBeUndefined();
  expect(precisionText({ precision: { values: 4000, inexact: 1, overflowed: 0 } })).toBe('1 of 4,000 values inexact');
  expect(precisionText({ precision: { values: 4, inexact: 3, overflowed: 2 } })).toBe(
    '3 of 4 values inexact, 2 of them infinite',
  );
});
