import { describe, expect, it } from 'vitest';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

const ALL = fixture('good/all_dtypes.safetensors');

describe('loupe stats', () => {
  it('prints the form of the contract', async () => {
    const { code, value } = await runJson('stats', ALL, 'f16', '--bins', '2');
    expect(code).toBe(0);
    expect(value).toEqual([
      {
        name: 'f16',
        dtype: 'F16',
        count: 5,
        nan: 1,
        posInf: 1,
        negInf: 0,
        zeros: 0,
        negZeros: 0,
        subnormals: 1,
        min: -65504,
        max: 0.5,
        mean: expect.closeTo(-21834.49999998013, 8),
        std: expect.closeTo(30878.99959, 3),
        quantiles: {
          '0.01': expect.any(Number),
          '0.05': expect.any(Number),
          '0.25': -32752 + 2.9802322387695312e-8,
          '0.5': 2 ** -24,
          '0.75': expect.any(Number),
          '0.95': expect.any(Number),
          '0.99': expect.any(Number),
        },
        distinct: 5,
        exact: true,
        histogram: { edges: [-65504, -32751.75, 0.5], counts: [1, 2] },
        file: 'all_dtypes.safetensors',
      },
    ]);
  });

  it('is null where there are no finite elements', async () => {
    const { value } = await runJson('stats', ALL, 'empty');
    expect(value).toMatchObject([
      { count: 0, min: null, max: null, mean: null, std: null, quantiles: null, histogram: null },
    ]);
  });

  it('keeps 64-bit integers exact', async () => {
    const { value } = await runJson('stats', ALL, 'i64', 'u64');
    expect(value).toMatchObject([
      { min: '-9223372036854775808', max: '9223372036854775807', mean: -0.5 },
      { min: 1, max: '18446744073709551615' },
    ]);
  });

  it('scans every tensor with --all, and exits with 4 when one cannot be read', async () => {
    const all = await runJson('stats', ALL, '--all');
    expect(all.code).toBe(0);
    expect(all.value).toMatchObject({ length: 25 });
    const cut = await runJson('stats', fixture('bad/b03_trunc.safetensors'), '--all');
    expect(cut.code).toBe(4);
    expect(cut.value).toMatchObject([{ name: 'a', count: 4 }]);
  });

  it('sums up folders, and says how many tensors could not be read', async () => {
    const { code, value } = await runJson('stats', fixture('bad/b03_trunc.safetensors'), '--all', '--folders');
    expect(code).toBe(4);
    expect(value).toMatchObject([
      { name: 'a' },
      { folder: null, tensors: 1, unread: 1, floats: { dtype: 'F32', count: 4 }, integers: null },
    ]);
    const { stdout } = await runLoupe('stats', ALL, '--all', '--folders');
    expect(stdout).toMatch(/^the whole model \(25 tensors\) BF16\+C64\+.*: count /m);
    expect(stdout).toMatch(/^the whole model \(25 tensors\) BOOL\+I16\+.*: count /m);
  });

  it('prints a tensor twice that is named twice, in the order asked for', async () => {
    const { value } = await runJson('stats', ALL, 'i64', 'f16', 'i64');
    expect(value).toMatchObject([{ name: 'i64' }, { name: 'f16' }, { name: 'i64' }]);
  });

  it('wants names or --all, and sane bins', async () => {
    expect((await runLoupe('stats', ALL, 'f16', '--folders')).code).toBe(2);
    expect((await runLoupe('stats', ALL, '--all', '--state')).code).toBe(2);
    expect((await runLoupe('stats', ALL)).code).toBe(2);
    expect((await runLoupe('stats', ALL, 'f16', '--all')).code).toBe(2);
    expect((await runLoupe('stats', ALL, 'f16', '--bins', '0')).code).toBe(2);
  });
});
