import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../src/core/checkpoint.ts';
import { inspectPath } from '../../../src/node/open-checkpoint.ts';
import { type TensorData, write } from '../../../src/node/writing/safetensors-file.ts';
import { fileBytes, floats, header, octets } from '../../support/safetensors-bytes.ts';
import { soundTensors } from '../../support/sound-tensors.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const close = closeAfterEach();

async function* slowly(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield chunk;
  }
}

describe('write', () => {
  it('takes arrays, bytes, iterables, async pieces and functions, sorted as the reference sorts', async () => {
    const path = join(folders.make(), 'out.safetensors');
    const file = write(path, { metadata: { format: 'pt' } });
    file
      .add('async', 'U8', [4], slowly(Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3, 4)))
      .add('function', 'U8', [2], () => [Uint8Array.of(5), Uint8Array.of(6)])
      .add('list', 'U8', [], [Uint8Array.of(7)])
      .add('floats', 'F32', [2, 2], Float32Array.of(1, 2, 3, 4))
      .add('longs', 'I64', [1], BigInt64Array.of(-(2n ** 63n)))
      .add('half', 'BF16', [2], Uint16Array.of(0x3f80, 0xc000))
      .add('empty', 'F64', [0, 3], new Float64Array(0));
    const { bytes, path: at } = await file.finish();
    expect([at, bytes]).toEqual([path, readFileSync(path).length]);
    const checkpoint = close(await inspectPath(path));
    expect(checkpoint.findings).toEqual([]);
    expect(checkpoint.table.rows().map(({ name }) => name)).toEqual([
      'longs',
      'empty',
      'floats',
      'half',
      'async',
      'function',
      'list',
    ]);
    expect(await checkpoint.get('async').bytes()).toEqual(Uint8Array.of(1, 2, 3, 4));
    expect(await checkpoint.get('function').bytes()).toEqual(Uint8Array.of(5, 6));
    expect(await checkpoint.get('floats').exactValues()).toEqual([1, 2, 3, 4]);
    expect(await checkpoint.get('longs').exactValues()).toEqual([-(2n ** 63n)]);
    expect(Array.from(await checkpoint.get('half').toFloat32())).toEqual([1, -2]);
    expect(checkpoint.metadata).toEqual([{ key: 'format', type: 'string', value: 'pt' }]);
  });

  it('copies tensors of open checkpoints, under their own names or others', async () => {
    const source = fileBytes(
      header(floats('a', 0, 8), octets('b', 8, 11)),
      Uint8Array.from({ length: 11 }, (_, k) => k),
    );
    const checkpoint = close(await inspectSource(memorySource(source)));
    const path = join(folders.make(), 'out.safetensors');
    await write(path).add(checkpoint.get('a')).add(checkpoint.get('b'), 'renamed').finish();
    const copy = close(await inspectPath(path));
    expect(copy.table.rows().map(({ name, dtype, shape }) => [name, dtype, shape])).toEqual([
      ['a', 'F32', [2]],
      ['renamed', 'U8', [3]],
    ]);
    expect(await copy.get('renamed').bytes()).toEqual(Uint8Array.of(8, 9, 10));
  });

  it('gives the same file whatever the order of adding', async () => {
    const folder = folders.make();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(soundTensors(), async (tensors) => {
        const files = [tensors, tensors.toReversed()].map(async (given) => {
          run += 1;
          const file = write(join(folder, `${run}.safetensors`));
          for (const { name, dtype, shape, bytes } of given) {
            file.add(name, dtype, shape, new Uint8Array(bytes).fill(name.length));
          }
          return readFileSync((await file.finish()).path);
        });
        const [a, b] = await Promise.all(files);
        expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it.each<[string, string, string, number[], TensorData]>([
    ['size-mismatch', 'a', 'F32', [2], new Float32Array(3)],
    ['size-mismatch', 'a', 'F32', [2], new Uint8Array(4)],
    ['dtype-mismatch', 'a', 'F64', [2], new Float32Array(4)],
    ['unknown-dtype', 'a', 'F8', [2], new Uint8Array(2)],
    ['reserved-name', '__metadata__', 'U8', [1], new Uint8Array(1)],
    ['field-invalid', 'a', 'U8', [Number.NaN], new Uint8Array(1)],
    ['size-not-whole-bytes', 'a', 'F4', [1], new Uint8Array(1)],
  ])('refuses %s where the mistake is made', (code, name, dtype, shape, data) => {
    const file = write(join(folders.make(), 'out.safetensors'));
    expect(() => file.add(name, dtype, shape, data)).toThrowError(expect.objectContaining({ code }));
  });

  it('refuses a name twice, adding after finishing, finishing twice, and metadata that is no text', async () => {
    const path = join(folders.make(), 'out.safetensors');
    const file = write(path);
    const add = (): unknown => file.add('a', 'U8', [1], Uint8Array.of(1));
    add();
    expect(add).toThrowError(expect.objectContaining({ code: 'duplicate-name' }));
    await file.finish();
    expect(add).toThrowError(expect.objectContaining({ code: 'finished' }));
    await expect(file.finish()).rejects.toMatchObject({ code: 'finished' });
    const metadata = JSON.parse('{"n":3}') as Record<string, string>;
    expect(() => write(path, { metadata })).toThrowError(expect.objectContaining({ code: 'metadata-not-strings' }));
  });
});

describe('a file that cannot be finished', () => {
  it.each<[string, () => TensorData]>([
    ['ends early', () => slowly(Uint8Array.of(1))],
    ['goes on', () => slowly(Uint8Array.of(1, 2), Uint8Array.of(3))],
  ])('because its data %s leaves nothing behind', async (_what, data) => {
    const folder = folders.make();
    const file = write(join(folder, 'out.safetensors')).add('a', 'U8', [2], data());
    await expect(file.finish()).rejects.toMatchObject({ code: 'size-mismatch' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('because its data fail passes on their error and keeps the old file', async () => {
    const folder = folders.make();
    const path = join(folder, 'out.safetensors');
    await writeFile(path, 'old');
    const fault = new Error('the network is down');
    const file = write(path, { overwrite: true }).add('a', 'U8', [2], () => {
      throw fault;
    });
    await expect(file.finish()).rejects.toBe(fault);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['out.safetensors']);
  });

  it('because it was aborted', async () => {
    const folder = folders.make();
    const controller = new AbortController();
    const told: number[] = [];
    const file = write(join(folder, 'out.safetensors'), {
      signal: controller.signal,
      onProgress: (done) => {
        told.push(done);
        controller.abort();
      },
    }).add('a', 'U8', [2], slowly(Uint8Array.of(1, 2)));
    await expect(file.finish()).rejects.toMatchObject({ code: 'cancelled' });
    expect(told).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('because its path is taken, unless it may be replaced', async () => {
    const path = join(folders.make(), 'out.safetensors');
    await writeFile(path, 'old');
    await expect(write(path).finish()).rejects.toMatchObject({ code: 'file-exists' });
    expect(await write(path, { overwrite: true }).finish()).toEqual({ path, bytes: 16 });
  });
});
