import { describe, expect, it } from 'vitest';
import {
  type ConvertDraft,
  convertParams,
  convertProblem,
  inFolder,
  reshaped,
} from '../../../../src/renderer/features/writing/convert-draft.ts';
import { METHODS } from '../../../../src/shared/api.ts';

const draft = (change: Partial<ConvertDraft> = {}): ConvertDraft => ({
  include: '',
  exclude: '',
  sharded: false,
  size: '5GB',
  metadata: [],
  output: '/m/out.safetensors',
  confirmed: undefined,
  ...change,
});

describe('a conversion', () => {
  it('is asked for with only what was chosen', () => {
    expect(convertParams(draft())).toEqual({ output: '/m/out.safetensors' });
    const whole = convertParams(
      draft({
        include: 'a.*\nb.*',
        exclude: '*.bias',
        sharded: true,
        size: '1.5 GiB',
        output: ' /m/out ',
        metadata: [{ id: 0, key: 'k', value: 'v', kept: undefined }],
      }),
    );
    expect(whole).toEqual({
      output: '/m/out',
      include: ['a.*', 'b.*'],
      exclude: ['*.bias'],
      maxShardBytes: 1_610_612_736,
      metadata: [['k', 'v']],
    });
    expect(METHODS.convert.safeParse({ sessionId: 0, ...whole }).success).toBe(true);
  });

  it('replaces only the very file the system has asked about', () => {
    const path = '/m/out.safetensors';
    expect(convertParams(draft({ confirmed: path }))).toMatchObject({ overwrite: true });
    expect(convertParams(draft({ confirmed: '/m/other' }))).not.toHaveProperty('overwrite');
    expect(convertParams(draft({ confirmed: path, sharded: true }))).not.toHaveProperty('overwrite');
  });

  it.each<readonly [Partial<ConvertDraft>, number, string | undefined]>([
    [{}, 3, undefined],
    [{}, 0, 'No tensor is left'],
    [{ output: ' ' }, 3, 'Choose a file'],
    [{ output: '', sharded: true }, 3, 'Choose a folder'],
    [{ sharded: true, size: '5 apples' }, 3, 'The size of a shard is not valid'],
    [{ sharded: true, size: '0' }, 3, 'The size of a shard is not valid'],
    [{ sharded: false, size: '5 apples' }, 3, undefined],
    [{ metadata: [{ id: 0, key: '', value: 'v', kept: undefined }] }, 3, 'A metadata value has no key'],
  ])('%j with %i tensors: %s', (change, tensors, problem) => {
    expect(convertProblem(draft(change), tensors)).toBe(problem);
  });

  it('keeps its output when its shape changes', () => {
    expect(reshaped(draft(), true)).toBe('/m/out');
    expect(reshaped(draft({ output: '/m/out' }), false)).toBe('/m/out.safetensors');
    expect(reshaped(draft({ output: '' }), false)).toBe('');
    expect(inFolder(draft(), '/other')).toBe('/other/out.safetensors');
    expect(inFolder(draft({ sharded: true }), '/other')).toBe('/other');
    expect(inFolder(draft({ output: '' }), '/other')).toBe('/other/model.safetensors');
  });
});
