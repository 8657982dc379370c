import { mkdir, mkdtemp, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../../src/cli/selftest/craft.ts';
import type { Checkpoint } from '../../../src/core/checkpoint.ts';
import { inspectPath } from '../../../src/node/open-checkpoint.ts';

const INDEX = 'model.safetensors.index.json';
const shardName = (number: number, total = 3): string =>
  `model-${String(number).padStart(5, '0')}-of-${String(total).padStart(5, '0')}.safetensors`;

let folder = '';
let opened: Checkpoint[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-shards-'));
  opened = [];
});
afterEach(async () => {
  for (const checkpoint of opened) {
    checkpoint.close();
  }
  await rm(folder, { recursive: true });
});

/** A shard of U8 tensors of 4 bytes, each filled with its own number. */
const shard = (...names: readonly string[]): Uint8Array =>
  craftFile(
    headerOf(...names.map((name, k) => entry(name, 'U8', '[4]', `[${k * 4},${k * 4 + 4}]`))),
    Uint8Array.from({ length: names.length * 4 }, (_, at) => Math.floor(at / 4) + 1),
  );

const write = (name: string, content: Uint8Array | string): Promise<void> => writeFile(join(folder, name), content);
const writeIndex = (weightMap: Readonly<Record<string, unknown>>, totalSize?: unknown): Promise<void> =>
  write(
    INDEX,
    JSON.stringify({ metadata: totalSize === undefined ? {} : { total_size: totalSize }, weight_map: weightMap }),
  );

const inspect = async (path: string): Promise<Checkpoint> => {
  const checkpoint = await inspectPath(path);
  opened.push(checkpoint);
  return checkpoint;
};
const codes = ({ findings }: Checkpoint): string[] => findings.map(({ code }) => code);

/** Three shards of two tensors each, all listed. */
const writeModel = async (): Promise<void> => {
  await write(shardName(1), shard('a', 'b'));
  await write(shardName(2), shard('c', 'd'));
  await write(shardName(3), shard('e', 'f'));
  await writeIndex(
    { a: shardName(1), b: shardName(1), c: shardName(2), d: shardName(2), e: shardName(3), f: shardName(3) },
    24,
  );
};

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
