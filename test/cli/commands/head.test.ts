import { describe, expect, it } from 'vitest';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

const ALL = fixture('good/all_dtypes.safetensors');

describe('loupe head', () => {
  it('prints exact values: non-finite as strings, integers beyond 2^53 as strings, the sign of zero kept', async () => {
    const f16 = await runJson('head', ALL, 'f16');
    expect(f16.value).toEqual({
      name: 'f16',
      dtype: 'F16',
      shape: [5],
      values: [0.5, -65504, 2 ** -24, 'Infinity', 'NaN'],
    });
    const i64 = await runJson('head', ALL, 'i64');
    expect(i64.value).toMatchObject({ values: ['-9223372036854775808', '9223372036854775807'] });
    const { stdout } = await runLoupe('head', ALL, 'f32', '--json');
    expect(stdout).toContain('[1.5,-0.0,3.3999999521443642e+38,1.401298464324817e-45]');
    const c64 = await runJson('head', ALL, 'c64');
    expect(c64.value).toMatchObject({ values: [[1, 2]] });
  });

  it('prints 8 values unless told otherwise', async () => {
    expect((await runJson('head', ALL, 'e4m3')).value).toMatchObject({ values: { length: 8 } });
    expect((await runJson('head', ALL, 'e4m3', '3')).value).toMatchObject({ values: [0, 0.001953125, 0.00390625] });
    expect((await runJson('head', ALL, 'e4m3', '0')).value).toMatchObject({ values: [] });
  });

  it('takes slices as numpy has them', async () => {
    const { value } = await runJson('head', fixture('good/b12_f4.safetensors'), 'w', '16', '--slice', '1,::-2');
    expect(value).toMatchObject({ dtype: 'F4', shape: [4], values: [-6, -3, -1.5, -0.5] });
  });

  it('prints shortest texts for people', async () => {
    const { stdout } = await runLoupe('head', ALL, 'f32');
    expect(stdout).toBe('1.5 -0 3.4e+38 1.401298464324817e-45\n');
  });

  it('exits with 4 for a tensor that cannot be read, with 2 for one that is not there or a bad slice', async () => {
    expect((await runLoupe('head', fixture('bad/b03_trunc.safetensors'), 'b')).code).toBe(4);
    expect((await runLoupe('head', fixture('bad/b03_trunc.safetensors'), 'a')).code).toBe(0);
    expect((await runLoupe('head', ALL, 'nothing')).code).toBe(2);
    expect((await runLoupe('head', ALL, 'f32', '--slice', '0,0,0')).code).toBe(2);
    expect((await runLoupe('head', ALL, 'f32', 'many')).code).toBe(2);
  });

  it('asks which one when a name occurs twice, and takes an id', async () => {
    const twice = await runLoupe('head', fixture('bad/b01_dup.safetensors'), 'a');
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('more than once');
    const one = await runJson('head', fixture('bad/b01_dup.safetensors'), '#1');
    expect(one.value).toMatchObject({ shape: [2, 2] });
  });

  it('decodes F6 only when the bit order is named', async () => {
    const file = fixture('good/st_f6.safetensors');
    const { value } = await runJson('tensors', file);
    const [row] = value as { name: string }[];
    const refused = await runLoupe('head', file, row?.name ?? '');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('bit order');
    expect((await runLoupe('head', file, row?.name ?? '', '--f6-order', 'lsb')).code).toBe(0);
  });

  it('gives what quantised integers stand for, and says so', async () => {
    const { code, value } = await runJson('head', fixture('zip/zip_quant.pt'), 'q');
    expect(code).toBe(0);
    expect(value).toEqual({ name: 'q', dtype: 'F32', shape: [2], values: [1, 2], dequantisedFrom: 'QI8' });
    const text = await runLoupe('head', fixture('zip/zip_quant.pt'), 'q');
    expect([text.stdout, text.stderr]).toEqual([
      '1 2\n',
      'note: the values that the integers of QI8 stand for, as float32\n',
    ]);
  });
});
