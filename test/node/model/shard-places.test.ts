import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
} from './support/shard-folder.ts';

shardFolderEach();

describe('shard names are never followed out of the folder', () => {
  it.each([
    '../outside.safetensors',
    '/etc/passwd.safetensors',
    'sub/../../outside.safetensors',
    'C:\\x.safetensors',
    'C:x.safetensors',
    '\\\\server\\share\\x.safetensors',
    '//server/share/x.safetensors',
    'https://example.org/x.safetensors',
    'con.safetensors',
    'sub/NUL.safetensors',
    'a\u0000.safetensors',
    'x.safetensors:stream',
    'x.bin',
    '.',
    '..',
    '',
    'x.safetensors ',
    'x.safetensors.',
  ])('%j', async (name) => {
    await writeFile(join(folder, '..', 'outside.safetensors'), shard('secret'));
    await writeIndex({ secret: name });
    const checkpoint = await inspect(folder);
    expect(codes(checkpoint)).toEqual(['shard-name-unsafe']);
    expect(checkpoint.table.rows()).toMatchObject([{ name: 'secret', layout: 'absent', readable: false }]);
    await rm(join(folder, '..', 'outside.safetensors'));
  });

  it('a folder below the model’s is fine', async () => {
    await mkdir(join(folder, 'sub'));
    await write('sub/x.safetensors', shard('a'));
    await writeIndex({ a: 'sub/x.safetensors' });
    const checkpoint = await inspect(folder);
    expect(checkpoint.findings).toEqual([]);
    expect(await checkpoint.get('a').bytes()).toHaveLength(4);
  });

  it('a link that leads outside is opened, with a warning', async () => {
    const other = await mkdtemp(join(tmpdir(), 'loupe-other-'));
    await writeFile(join(other, 'x.safetensors'), shard('a'));
    await symlink(join(other, 'x.safetensors'), join(folder, 'x.safetensors'));
    await writeIndex({ a: 'x.safetensors' });
    expect(codes(await inspect(folder))).toEqual(['shard-outside-folder']);
    await rm(other, { recursive: true });
  });

  it('the Hugging Face cache, whose links lead to ../../blobs, opens with no finding', async () => {
    const snapshot = join(folder, 'models--org--name', 'snapshots', 'abc123');
    const blobs = join(folder, 'models--org--name', 'blobs');
    await mkdir(snapshot, { recursive: true });
    await mkdir(blobs);
    const blob = async (hash: string, name: string, content: Uint8Array | string): Promise<void> => {
      await writeFile(join(blobs, hash), content);
      await symlink(join('..', '..', 'blobs', hash), join(snapshot, name));
    };
    await blob('11aa', shardName(1, 2), shard('a'));
    await blob('22bb', shardName(2, 2), shard('b'));
    await blob(
      '33cc',
      INDEX,
      JSON.stringify({ metadata: { total_size: 8 }, weight_map: { a: shardName(1, 2), b: shardName(2, 2) } }),
    );
    for (const path of [snapshot, join(snapshot, INDEX), join(snapshot, shardName(2, 2))]) {
      const checkpoint = await inspect(path);
      expect(checkpoint.findings).toEqual([]);
      expect(await checkpoint.get('b').exactValues()).toEqual([1, 1, 1, 1]);
    }
  });
});

describe('numbered shards without an index', () => {
  it('open as a set, and say which one is missing', async () => {
    await write(shardName(1), shard('a'));
    await write(shardName(3), shard('c'));
    for (const path of [folder, join(folder, shardName(3))]) {
      const checkpoint = await inspect(path);
      expect(checkpoint.findings).toMatchObject([
        { code: 'shard-missing', message: `the shard "${shardName(2)}" is missing` },
      ]);
      expect(await checkpoint.get('c').bytes()).toHaveLength(4);
    }
  });

  it('whose name promises a million are opened at once: the missing ones are not looked up one by one', async () => {
    const named = (number: number): string => `model-${String(number).padStart(6, '0')}-of-999999.safetensors`;
    await write(named(2), shard('a'));
    await write(named(999_998), shard('c'));
    const checkpoint = await inspect(folder);
    expect(checkpoint.table.rows().map(({ name }) => name)).toEqual(['a', 'c']);
    expect(await checkpoint.get('c').bytes()).toHaveLength(4);
    expect(checkpoint.summary.shards).toHaveLength(102);
    expect(checkpoint.findings).toHaveLength(101);
    expect(checkpoint.findings.at(-1)).toMatchObject({
      code: 'shard-missing',
      message: '999,897 more shards of the set missing',
    });
  });

  it('take no file of another spelling for one of theirs', async () => {
    await write(shardName(1, 2), shard('a'));
    await write('model_00002-of-00002.safetensors', shard('b'));
    await write('model-000002-of-000002.safetensors', shard('b'));
    await write('model-00002-of-00002.SAFETENSORS', shard('b'));
    expect(codes(await inspect(join(folder, 'model-000002-of-000002.safetensors')))).toEqual([]);
    await write(shardName(3, 3), shard('a'));
    await write(shardName(1, 3), shard('b'));
    const checkpoint = await inspect(join(folder, shardName(1, 3)));
    expect(checkpoint.findings).toMatchObject([{ message: `the shard "${shardName(2, 3)}" is missing` }]);
  });

  it('a shard alone in its folder is a file like any other', async () => {
    await write(shardName(2), shard('b'));
    const checkpoint = await inspect(join(folder, shardName(2)));
    expect(checkpoint.findings).toEqual([]);
    expect(checkpoint.summary.shards).toEqual([]);
  });
});

describe('a folder', () => {
  it('without safetensors is searched for PyTorch files, not for what trainers leave beside them', async () => {
    await write('training_args.bin', 'x');
    await write('optimizer.pt', 'x');
    await write('rng_state_0.pth', 'x');
    await expect(inspect(folder)).rejects.toMatchObject({ code: 'not-a-file' });
    await write('pytorch_model.bin', 'not a pickle');
    const checkpoint = await inspect(folder);
    expect(checkpoint.summary.files.map(({ path }) => path)).toEqual([join(folder, 'pytorch_model.bin')]);
    await write('x.safetensors', shard('a'));
    expect((await inspect(folder)).summary.format).toBe('safetensors');
  });

  it('with one file opens it; with several it asks for one; with none it says so', async () => {
    await expect(inspect(folder)).rejects.toMatchObject({
      code: 'not-a-file',
      message: expect.stringContaining('no safetensors file'),
    });
    await write('x.safetensors', shard('a'));
    expect((await inspect(folder)).table.length).toBe(1);
    await write('y.safetensors', shard('a'));
    await expect(inspect(folder)).rejects.toMatchObject({
      code: 'not-a-file',
      message: expect.stringContaining('name one'),
    });
    await write('model.safetensors', shard('a', 'b'));
    expect((await inspect(folder)).table.length).toBe(2);
  });

  it('takes the variants of diffusers and transformers', async () => {
    await write('diffusion_pytorch_model-00001-of-00001.safetensors', shard('a'));
    await write(
      'diffusion_pytorch_model.safetensors.index.json',
      '{"weight_map":{"a":"diffusion_pytorch_model-00001-of-00001.safetensors"}}',
    );
    const checkpoint = await inspect(folder);
    expect(checkpoint.findings).toEqual([]);
    expect(await checkpoint.get('a').bytes()).toHaveLength(4);
  });
});

it('163 shards open like one file', async () => {
  const weightMap: Record<string, string> = {};
  for (let number = 1; number <= 163; number += 1) {
    const names = Array.from({ length: 10 }, (_, k) => `layers.${number}.${k}`);
    await write(shardName(number, 163), shard(...names));
    for (const name of names) {
      weightMap[name] = shardName(number, 163);
    }
  }
  await writeIndex(weightMap, 163 * 40);
  const checkpoint = await inspect(folder);
  expect(checkpoint.findings).toEqual([]);
  expect(checkpoint.table.length).toBe(1630);
  expect(await checkpoint.get('layers.163.9').exactValues()).toEqual([10, 10, 10, 10]);
});
