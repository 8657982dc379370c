import { expect, it } from 'vitest';
import { parseBytes } from '../../src/shared/parse-bytes.ts';

it.each([
  ['5GB', 5e9],
  ['5gb', 5e9],
  ['500 MB', 5e8],
  ['1.5GiB', 1.5 * 2 ** 30],
  ['2k', 2000],
  ['4096', 4096],
  ['7B', 7],
  ['0.1KB', 100],
  ['1TiB', 2 ** 40],
])('%s is %d bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

it.each(['', 'GB', '-1GB', '1e9', '5 G B', '5GBB', '5ib', '0', '0.0001B', '99999999PB', '٥GB', 'Infinity'])(
  '%j is none',
  (text) => {
    expect(parseBytes(text)).toBeUndefined();
  },
);
