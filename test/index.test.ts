import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { craftFile, entry, headerOf } from '../src/cli/selftest/craft.ts';
import { safetensorsBattery } from '../src/cli/selftest/safetensors-battery.ts';
import * as library from '../src/index.ts';

const { inspect, open } = library;
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const GOOD = craftFile(
  headerOf('"__metadata__":{"format":"pt"}', entry('w', 'F32', '[2,2]', '[0,16]')),
  new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer),
);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-library-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the library', () => {
  it('exports exactly this', () => {
    expect(Object.keys(library).sort()).toEqual([
      'CancelledError',
      'Checkpoint',
      'CheckpointError',
      'ClosedError',
      'FileChangedError',
      'LoupeError',
      'OpenFileError',
      'OutOfRangeError',
      'SliceError',
      'Tensor',
      'TensorLookupError',
      'UnreadableTensorError',
      'inspect',
      'isLoupeError',
      'memorySource',
      'open',
      'write',
    ]);
  });

  it('opens a path, bytes, and any source with the same answers', async () => {
    const path = join(folder, 'good.safetensors');
    await writeFile(path, GOOD);
    const source: library.ByteSource = {
      name: 'good.safetensors',
      size: GOOD.byteLength,
      read: async (offset, target) => target.set(GOOD.subarray(offset, offset + target.byteLength)),
      close: () => undefined,
    };
    for (const what of [path, GOOD, source]) {
      const checkpoint = await open(what);
      const tensor = checkpoint.get('w');
      expect([tensor.dtype, tensor.shape]).toEqual(['F32', [2, 2]]);
      expect(Array.from(await tensor.toFloat32({ slice: ':,1' }))).toEqual([2, 4]);
      expect(Array.from(await tensor.toFloat32({ start: 1, count: 2 }))).toEqual([2, 3]);
      expect(await tensor.slice('1,:')).toEqual({ shape: [2], values: Float32Array.of(3, 4) });
      expect(checkpoint.tensors.map(({ name }) => name)).toEqual(['w']);
      expect(await tensor.exactValues()).toEqual([1, 2, 3, 4]);
      expect(await tensor.stats()).toMatchObject({ count: 4, mean: 2.5, min: 1, max: 4 });
      expect(checkpoint.metadata).toEqual([{ key: 'format', type: 'string', value: 'pt' }]);
      checkpoint.close();
    }
  });

  it('is strict: throws the first fault as an error of its one class, and leaves nothing open', async () => {
    for (const { name, file, codes } of safetensorsBattery()) {
      const path = join(folder, 'case.safetensors');
      await writeFile(path, file);
      if (codes.length === 0) {
        (await open(path)).close();
      } else {
        const error: unknown = await open(path).catch((fault: unknown) => fault);
        expect(error, name).toBeInstanceOf(library.CheckpointError);
        expect(error, name).toBeInstanceOf(library.LoupeError);
        expect(codes, name).toContain((error as library.CheckpointError).code);
      }
    }
  });

  it('relaxes what it is told to, and nothing else', async () => {
    const gap = craftFile(headerOf(entry('a', 'U8', '[1]', '[0,1]'), entry('b', 'U8', '[1]', '[3,4]')), 4);
    await expect(open(gap)).rejects.toMatchObject({ code: 'gap' });
    (await open(gap, { allowGaps: true })).close();
    await expect(open(gap, { allowTrailingBytes: true })).rejects.toMatchObject({ code: 'gap' });
    const tail = craftFile(headerOf(entry('a', 'U8', '[1]', '[0,1]')), 4);
    await expect(open(tail)).rejects.toMatchObject({ code: 'trailing-bytes' });
    (await open(tail, { allowTrailingBytes: true })).close();
    await expect(open(tail, { allowTrailingBytes: true, headerCap: 10 })).rejects.toMatchObject({
      code: 'header-over-cap',
    });
  });

  it('inspects leniently: a file that is no checkpoint has no tensors and a finding', async () => {
    const checkpoint = await inspect(fixture('bad/b04_lfs.safetensors'));
    expect(checkpoint.format).toBe('unrecognised');
    expect(checkpoint.findings).toMatchObject([
      { code: 'git-lfs-pointer', message: expect.stringContaining('4,932,308,256 bytes') },
    ]);
    await expect(open(fixture('bad/b04_lfs.safetensors'))).rejects.toMatchObject({ code: 'git-lfs-pointer' });
  });

  it('answers with a typed error once closed', async () => {
    const path = join(folder, 'closing.safetensors');
    await writeFile(path, GOOD);
    const checkpoint = await open(path);
    const tensor = checkpoint.get('w');
    checkpoint.close();
    checkpoint.close();
    await expect(tensor.toFloat32()).rejects.toBeInstanceOf(library.ClosedError);
    expect(() => checkpoint.get('w')).toThrow(library.ClosedError);
  });

  it('streams in pieces, and decodes every dtype of the fixture to float32', async () => {
    const checkpoint = await open(fixture('good/all_dtypes.safetensors'));
    for (const tensor of checkpoint.tensors) {
      const whole = await tensor.toFloat32();
      const parts: number[] = [];
      for await (const part of tensor.stream()) {
        parts.push(...part);
      }
      expect(parts, tensor.name).toEqual(Array.from(whole));
    }
    checkpoint.close();
  });

  it('reads F6 only by a named bit order', async () => {
    const checkpoint = await open(fixture('good/st_f6.safetensors'));
    const [tensor] = checkpoint.tensors;
    await expect(tensor?.toFloat32()).rejects.toBeInstanceOf(library.UnreadableTensorError);
    expect(await tensor?.toFloat32({ f6Order: 'lsb' })).toHaveLength(4);
    expect(await tensor?.bytes()).toHaveLength(3);
    checkpoint.close();
  });
});
