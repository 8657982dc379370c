import { describe, expect, it } from 'vitest';
import { indexedExtension, numberedShard, shardNameProblem } from '../../../../src/core/formats/shards/shard-names.ts';

describe('shardNameProblem', () => {
  it('lets plain names through', () => {
    for (const name of [
      'model-00001-of-00003.safetensors',
      'sub/x.safetensors',
      'a.b-c_d.SAFETENSORS',
      'contract.safetensors',
      'ü.safetensors',
    ]) {
      expect(shardNameProblem(name, 'safetensors'), name).toBeUndefined();
    }
    expect(shardNameProblem('x.bin', 'bin')).toBeUndefined();
  });

  it.each([
    ['../x.safetensors', 'does not name a file below'],
    ['a//x.safetensors', 'does not name a file below'],
    ['/x.safetensors', 'does not name a file below'],
    ['a\\x.safetensors', 'backslash or a colon'],
    ['c:x.safetensors', 'backslash or a colon'],
    ['a\nb.safetensors', 'control character'],
    ['LPT1.safetensors', 'device'],
    ['aux.x.safetensors', 'device'],
    ['dir./x.safetensors', 'dot or a space'],
    ['x.pt', 'does not end with'],
    [`${'x'.repeat(256)}.safetensors`, 'longer than a file name'],
  ])('%j: %s', (name, why) => {
    expect(shardNameProblem(name, 'safetensors')).toContain(why);
  });
});

describe('numberedShard', () => {
  it('reads a set’s names and spells its others', () => {
    const shard = numberedShard('model.fp16-00002-of-00012.safetensors');
    expect(shard).toMatchObject({ stem: 'model.fp16', number: 2, total: 12, extension: 'safetensors' });
    expect(shard?.nameOf(11)).toBe('model.fp16-00011-of-00012.safetensors');
    expect(numberedShard('pytorch_model_000001-of-000003.bin')?.nameOf(2)).toBe('pytorch_model_000002-of-000003.bin');
  });

  it.each([
    'model.safetensors',
    'model-00000-of-00003.safetensors',
    'model-00004-of-00003.safetensors',
    'model-1-of-3.safetensors',
    '-00001-of-00002',
    'model-00001-of-00002',
  ])('%s is none', (name) => {
    expect(numberedShard(name)).toBeUndefined();
  });
});

describe('indexedExtension', () => {
  it.each([
    ['model.safetensors.index.json', 'safetensors'],
    ['model.safetensors.index.fp16.json', 'safetensors'],
    ['pytorch_model.bin.index.json', 'bin'],
    ['model.json', undefined],
    ['index.json', undefined],
  ])('%s', (name, extension) => {
    expect(indexedExtension(name)).toBe(extension);
  });
});
