import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectPath } from '../../../src/node/open-checkpoint.ts';
import { dense, stateDict, storage, torchFile } from '../../support/torch-bytes.ts';
import { utf8, zipBytes } from '../../support/zip-bytes.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-torch-shards-'));
});
afterAll(() => rm(folder, { recursive: true }));

const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const root = (name: string): Uint8Array => stateDict({ [name]: dense(storage('FloatStorage', '0', 2), [2]) });

it('PyTorch shards open by their index, compressed ones too', async () => {
  const first = 'pytorch_model-00001-of-00003.bin';
  const second = 'pytorch_model-00002-of-00003.bin';
  const third = 'pytorch_model-00003-of-00003.bin';
  await writeFile(join(folder, first), torchFile(root('a'), { 0: floats(1, 2) }));
  await writeFile(
    join(folder, second),
    zipBytes(
      { name: 'm/data.pkl', content: root('b') },
      { name: 'm/data/0', content: floats(3, 4), deflate: true },
      { name: 'm/version', content: utf8('3\n') },
    ),
  );
  await writeFile(join(folder, third), torchFile(root('c'), { 0: floats(5, 6) }));
  const index = { metadata: { total_size: 24 }, weight_map: { a: first, b: second, c: third } };
  await writeFile(join(folder, 'pytorch_model.bin.index.json'), JSON.stringify(index));
  for (const path of [folder, join(folder, second)]) {
    const checkpoint = await inspectPath(path);
    expect(checkpoint.findings).toEqual([]);
    expect(checkpoint.format).toBe('pytorch');
    for (const [name, values] of [
      ['a', [1, 2]],
      ['b', [3, 4]],
      ['c', [5, 6]],
    ] as const) {
      expect(await checkpoint.get(name).exactValues()).toEqual(values);
    }
    expect(checkpoint.summary.shards.map(({ tensors }) => tensors)).toEqual([1, 1, 1]);
    expect(checkpoint.summary.files).toHaveLength(3);
    checkpoint.close();
  }
});
