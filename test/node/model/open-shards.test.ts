import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../../src/cli/selftest/craft.ts';
import {
  codes,
  folder,
  INDEX,
  inspect,
  shard,
  shardFolderEach,
  shardName,
  write,
  writeIndex,
  writeModel,
} from './support/shard-folder.ts';

shardFolderEach();

describe('a whole sharded model', () => {
  beforeEach(writeModel);

  it('opens the same by its index, by any shard, and by its folder', async () => {
    for (const path of [join(folder, INDEX), join(folder, shardName(2)), folder]) {
      const checkpoint = await inspect(path);
      expect(checkpoint.findings).toEqual([]);
      expect(checkpoint.table.rows().map(({ id, name, file }) => [id, name, file])).toEqual([
        [0, 'a', shardName(1)],
        [1, 'b', shardName(1)],
        [2, 'c', shardName(2)],
        [3, 'd', shardName(2)],
        [4, 'e', shardName(3)],
        [5, 'f', shardName(3)],
      ]);
      expect(checkpoint.summary).toMatchObject({
        format: 'safetensors',
        tensors: 6,
        parameters: 24,
        dataBytes: 24,
        verdict: 'clean',
      });
      expect(checkpoint.summary.shards).toHaveLength(3);
      expect(await checkpoint.get('d').exactValues()).toEqual([2, 2, 2, 2]);
    }
  });

  it('opens a shard for values only when it is needed, and keeps it open', async () => {
    const checkpoint = await inspect(folder);
    await unlink(join(folder, shardName(1)));
    await expect(checkpoint.get('a').bytes()).rejects.toMatchObject({ code: 'not-found' });
    expect(await checkpoint.get('c').bytes()).toHaveLength(4);
    await unlink(join(folder, shardName(2)));
    expect(Array.from(await checkpoint.get('d').bytes())).toEqual([2, 2, 2, 2]);
  });

  it('refuses a shard that was replaced between its header and its values', async () => {
    const checkpoint = await inspect(folder);
    await unlink(join(folder, shardName(1)));
    await write(shardName(1), shard('a', 'b'));
    await expect(checkpoint.get('a').bytes()).rejects.toMatchObject({ code: 'file-changed' });
  });

  it('answers with a typed error once closed', async () => {
    const checkpoint = await inspect(folder);
    const tensor = checkpoint.get('a');
    checkpoint.close();
    await expect(tensor.bytes()).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('index, headers and disk that disagree', () => {
  beforeEach(writeModel);

  it('a missing shard: the rest is usable, its tensors are listed as absent', async () => {
    await unlink(join(folder, shardName(2)));
    const checkpoint = await inspect(folder);
    expect(checkpoint.findings).toMatchObject([
      { code: 'shard-missing', message: `the shard "${shardName(2)}" is missing; 2 tensors lost: "c", "d"` },
    ]);
    expect(checkpoint.table.rows()[2]).toMatchObject({
      name: 'c',
      layout: 'absent',
      readable: false,
      file: shardName(2),
    });
    await expect(checkpoint.get('c').bytes()).rejects.toMatchObject({ code: 'unreadable-tensor' });
    expect(await checkpoint.get('f').bytes()).toHaveLength(4);
    expect(checkpoint.summary.shards.map(({ present }) => present)).toEqual([true, false, true]);
    expect(checkpoint.summary.files).toHaveLength(2);
  });

  it('a phantom entry, an unlisted tensor, a tensor in two shards', async () => {
    await write(shardName(2), shard('c', 'a', 'x'));
    const checkpoint = await inspect(folder);
    expect(checkpoint.findings.map(({ code, message }) => [code, message])).toEqual([
      [
        'tensor-in-two-shards',
        `tensor "a" is in 2 shards ("${shardName(1)}", "${shardName(2)}"); the index picks "${shardName(1)}"`,
      ],
      ['tensor-not-in-index', `tensor "x" is in "${shardName(2)}" but not in the index`],
      ['index-entry-missing', `the index says "d" is in "${shardName(2)}", which has no such tensor`],
      ['total-size-mismatch', 'the index declares total_size 24; the tensors have 28 bytes'],
    ]);
    expect(() => checkpoint.get('a')).toThrow('more than once');
  });

  it('a stray file, but not the shards of another variant with an index of its own', async () => {
    await write('model.safetensors', shard('z'));
    await write('model.fp16-00001-of-00002.safetensors', shard('q'));
    await write('model.safetensors.index.fp16.json', '{"weight_map":{}}');
    expect((await inspect(join(folder, INDEX))).findings).toMatchObject([
      { code: 'stray-file', file: 'model.safetensors' },
    ]);
  });

  it('a shard that is no checkpoint: what it is, and its tensors absent', async () => {
    await write(
      shardName(3),
      await readFile(fileURLToPath(new URL('../../fixtures/bad/b04_lfs.safetensors', import.meta.url))),
    );
    const checkpoint = await inspect(folder);
    expect(codes(checkpoint)).toContain('git-lfs-pointer');
    expect(checkpoint.get('e').row).toMatchObject({ layout: 'absent', readable: false });
    expect(await checkpoint.get('a').bytes()).toHaveLength(4);
  });

  it('damage inside a shard keeps its tensor id', async () => {
    await write(shardName(2), shard('c', 'd').slice(0, -3));
    const checkpoint = await inspect(folder);
    expect(checkpoint.findings).toMatchObject([{ code: 'truncated', tensor: 'd', tensorId: 3, file: shardName(2) }]);
    expect(checkpoint.summary.sentence).toBe('Damaged: 1 of 6 tensors cut off, 3 bytes missing');
  });

  it.each([
    ['"24"', '"24"'],
    ['24.0', '24.0'],
    ['1e30', '1e30'],
    ['-24', '-24'],
    ['25', '25'],
  ])('a total_size of %s is a warning, never believed', async (_name, text) => {
    const index = (await readFile(join(folder, INDEX), 'utf8')).replace(':24}', `:${text}}`);
    await write(INDEX, index);
    const checkpoint = await inspect(folder);
    expect(codes(checkpoint)).toEqual(['total-size-mismatch']);
    expect(checkpoint.summary).toMatchObject({ dataBytes: 24, verdict: 'warnings' });
  });
});

describe('an index that cannot be used', () => {
  it.each([
    ['not JSON', '{"weight_map":'],
    ['not an object', '[]'],
    ['no weight_map', '{"metadata":{}}'],
    ['a weight_map that is a list', '{"weight_map":[]}'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('%s: index-invalid, no tensors', async (_name, text) => {
    await write(INDEX, text);
    const checkpoint = await inspect(folder);
    expect(codes(checkpoint)).toEqual(['index-invalid']);
    expect(checkpoint.summary).toMatchObject({ tensors: 0, verdict: 'damaged' });
  });

  it('values that are no strings and names given twice are named, the rest is used', async () => {
    await write('one.safetensors', shard('a'));
    await write(INDEX, '{"weight_map":{"a":"one.safetensors","b":7,"a":"one.safetensors"}}');
    const checkpoint = await inspect(folder);
    expect(checkpoint.findings.map(({ code, tensor }) => [code, tensor])).toEqual([
      ['index-invalid', 'b'],
      ['index-invalid', 'a'],
    ]);
    expect(await checkpoint.get('a').bytes()).toHaveLength(4);
  });
});

describe('an index of very many shards', () => {
  it('opens the first 10,000, and says that the rest was not looked at', async () => {
    const name = (at: number): string => `s${String(at).padStart(6, '0')}.safetensors`;
    await write(name(0), shard('t0'));
    await writeIndex(Object.fromEntries(Array.from({ length: 10_002 }, (_, at) => [`t${at}`, name(at)])));
    const checkpoint = await inspect(folder);
    expect(checkpoint.table.length).toBe(10_002);
    expect(await checkpoint.get('t0').bytes()).toHaveLength(4);
    expect(checkpoint.findings.at(-1)?.code).toBe('findings-omitted');
    expect(checkpoint.get('t10000').row).toMatchObject({
      layout: 'absent',
      problem: `its shard "${name(10_000)}" is not there`,
    });
    expect(checkpoint.findings.map(({ message }) => message)).toContain(
      `the shard "${name(1)}" is missing; 1 tensor lost: "t1"`,
    );
    expect(checkpoint.findings.find(({ message }) => message.includes('only the first'))?.message).toBe(
      `the shard "${name(10_000)}" is one of 10,002; only the first 10,000 are opened; 1 tensor lost: "t10000"`,
    );
  });
});

describe('metadata', () => {
  const withMetadata = (tensor: string, metadata: string): Uint8Array =>
    craftFile(headerOf(`"__metadata__":${metadata}`, entry(tensor, 'U8', '[4]', '[0,4]')), new Uint8Array(4));

  it('is that of all shards; where they differ the first counts, which is said', async () => {
    await write(shardName(1, 2), withMetadata('a', '{"format":"pt","step":"1"}'));
    await write(shardName(2, 2), withMetadata('b', '{"format":"pt","step":"2","only":"here"}'));
    const checkpoint = await inspect(folder);
    expect(checkpoint.metadata.map(({ key, value }) => [key, value])).toEqual([
      ['format', 'pt'],
      ['step', '1'],
      ['only', 'here'],
    ]);
    expect(checkpoint.findings).toMatchObject([
      {
        code: 'shard-metadata-differs',
        message:
          'the shards give "step" in their metadata differently ' +
          `("${shardName(1, 2)}", "${shardName(2, 2)}"); the first is shown`,
      },
    ]);
  });
});
