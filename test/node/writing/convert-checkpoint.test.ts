import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../src/core/checkpoint.ts';
import { planSafetensors } from '../../../src/core/writing/plan-safetensors.ts';
import { inspectPath } from '../../../src/node/open-checkpoint.ts';
import { type ConvertOptions, convertCheckpoint } from '../../../src/node/writing/convert-checkpoint.ts';
import { fileBytes, header, octets } from '../../support/safetensors-bytes.ts';
import { soundTensors } from '../../support/sound-tensors.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const close = closeAfterEach();
const MIB = 1024 * 1024;

const openFile = async (path: string): Promise<Checkpoint> => close(await inspectPath(path));
const openBytes = async (bytes: Uint8Array): Promise<Checkpoint> => close(await inspectSource(memorySource(bytes)));
const convert = async (path: string, options: ConvertOptions) =>
  convertCheckpoint({ checkpoint: await openFile(path), options });

/** A file as the reference writes it, of tensors with bytes that differ. */
const canonical = (tensors: Parameters<typeof planSafetensors>[0], metadata?: ReadonlyMap<string, string>): Buffer => {
  const plan = planSafetensors(tensors, metadata);
  let seed = 1;
  const data = plan.order.map(({ bytes }) =>
    Uint8Array.from({ length: bytes }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed;
    }),
  );
  return Buffer.concat([plan.prefix, ...data]);
};

const octetTensors = (...sizes: readonly number[]) =>
  sizes.map((size, index) => ({ name: `t${index}`, dtype: 'U8', shape: [size], bytes: size }));

describe('converting', () => {
  it('to shards and back to one file is the identity on bytes', async () => {
    const folder = folders.make();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(soundTensors(), fc.integer({ min: 1, max: 3000 }), async (tensors, maxShardBytes) => {
        run += 1;
        const whole = canonical(tensors, new Map([['format', 'pt']]));
        const shards = join(folder, `shards-${run}`);
        const checkpoint = await openBytes(whole);
        const { written, index } = await convertCheckpoint({
          checkpoint,
          options: { output: shards, maxShardBytes },
        });
        const merged = join(folder, `merged-${run}.safetensors`);
        const from = index ?? written[0]?.path ?? '';
        const back = await convert(from, { output: merged });
        expect(back.notes).toEqual([]);
        expect(readFileSync(merged).equals(whole)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('names shards, index and a single file as the hubs do, and opens clean', async () => {
    const folder = folders.make();
    const path = join(folder, 'in.safetensors');
    await writeFile(path, canonical(octetTensors(5, 5, 5)));
    const many = join(folder, 'many');
    const { written, index } = await convert(path, { output: many, maxShardBytes: 10 });
    expect(readdirSync(many).sort()).toEqual([
      'model-00001-of-00002.safetensors',
      'model-00002-of-00002.safetensors',
      'model.safetensors.index.json',
    ]);
    expect(written.map(({ name, tensors }) => [name, tensors])).toEqual([
      ['model-00001-of-00002.safetensors', 2],
      ['model-00002-of-00002.safetensors', 1],
    ]);
    expect(index).toBe(join(many, 'model.safetensors.index.json'));
    expect((await openFile(many)).findings).toEqual([]);
    const one = join(folder, 'one');
    expect(await convert(path, { output: one, maxShardBytes: 15 })).toMatchObject({ index: undefined });
    expect(readdirSync(one)).toEqual(['model.safetensors']);
  });

  it('takes a folder that is there for the output of one file, and refuses a file name for shards', async () => {
    const folder = folders.make();
    const path = join(folder, 'in.safetensors');
    await writeFile(path, canonical(octetTensors(5, 5)));
    const into = join(folder, 'into');
    await mkdir(into);
    expect((await convert(path, { output: into })).written[0]?.path).toBe(join(into, 'model.safetensors'));
    const options = { output: join(folder, 'x.safetensors'), maxShardBytes: 5 };
    await expect(convert(path, options)).rejects.toMatchObject({ code: 'usage' });
  });

  it('replaces its own input when told to, shards included', async () => {
    const folder = folders.make();
    const path = join(folder, 'in.safetensors');
    const whole = canonical(octetTensors(5, 5, 5));
    await writeFile(path, whole);
    const model = join(folder, 'model');
    await convert(path, { output: model, maxShardBytes: 5 });
    await expect(convert(model, { output: model, maxShardBytes: 5 })).rejects.toMatchObject({ code: 'file-exists' });
    const before = readdirSync(model).map((name) => readFileSync(join(model, name)));
    await convert(model, { output: model, maxShardBytes: 5, overwrite: true });
    expect(readdirSync(model).map((name) => readFileSync(join(model, name)))).toEqual(before);
    await convert(path, { output: path, overwrite: true, metadata: [['k', 'v']] });
    expect((await openFile(path)).metadata).toEqual([{ key: 'k', type: 'string', value: 'v' }]);
  });

  it('tells of another model’s files in the same folder', async () => {
    const folder = folders.make();
    const path = join(folder, 'in.safetensors');
    await writeFile(path, canonical(octetTensors(5, 5, 5)));
    const model = join(folder, 'model');
    await convert(path, { output: model, maxShardBytes: 5 });
    const { notes } = await convert(path, { output: model, maxShardBytes: 10, overwrite: true });
    expect(notes).toEqual([expect.stringContaining('model-00001-of-00003.safetensors')]);
  });

  it('reports progress to the last byte', async () => {
    const checkpoint = await openBytes(canonical(octetTensors(3 * MIB, 5)));
    const told: number[][] = [];
    const output = join(folders.make(), 'out.safetensors');
    const { written } = await convertCheckpoint({
      checkpoint,
      options: { output },
      onProgress: (...progress) => told.push(progress),
    });
    const bytes = written[0]?.bytes ?? 0;
    expect(told.length).toBeGreaterThan(3);
    expect(told.every(([done = 0], index) => done > (told[index - 1]?.[0] ?? 0))).toBe(true);
    expect(told.at(-1)).toEqual([bytes, bytes]);
  });
});

describe('a conversion that fails', () => {
  it('when cancelled leaves old files as they were, nothing new, and no folder it made', async () => {
    const folder = folders.make();
    const checkpoint = await openBytes(canonical(octetTensors(2 * MIB, 2 * MIB)));
    const cancelAfter = (bytes: number, options: ConvertOptions) => {
      const controller = new AbortController();
      const onProgress = (done: number): void => {
        if (done >= bytes) {
          controller.abort();
        }
      };
      return convertCheckpoint({ checkpoint, options, signal: controller.signal, onProgress });
    };
    const output = join(folder, 'deep', 'er');
    const sharded = { output, maxShardBytes: 2 * MIB };
    await expect(cancelAfter(3 * MIB, sharded)).rejects.toMatchObject({ code: 'cancelled' });
    await expect(cancelAfter(0, sharded)).rejects.toMatchObject({ code: 'cancelled' });
    expect(existsSync(join(folder, 'deep'))).toBe(false);
    await convertCheckpoint({ checkpoint, options: sharded });
    const before = readdirSync(output);
    const again = { ...sharded, overwrite: true };
    await expect(cancelAfter(3 * MIB, again)).rejects.toMatchObject({ code: 'cancelled' });
    // The very last piece: all files are finished, none is in its place.
    await expect(cancelAfter(4 * MIB, again)).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(output)).toEqual(before);
  });

  it('because one of its shards cannot be placed puts back those that were', async () => {
    const folder = folders.make();
    const checkpoint = await openBytes(canonical(octetTensors(5, 5)));
    const output = join(folder, 'model');
    await mkdir(join(output, 'model-00002-of-00002.safetensors'), { recursive: true });
    const options = { output, maxShardBytes: 5, overwrite: true };
    await expect(convertCheckpoint({ checkpoint, options })).rejects.toMatchObject({ code: 'write-failed' });
    expect(readdirSync(output)).toEqual(['model-00002-of-00002.safetensors']);
  });

  it('does not write through a link', async () => {
    const folder = folders.make();
    const checkpoint = await openBytes(canonical(octetTensors(5)));
    const [victim, output] = [join(folder, 'victim'), join(folder, 'out.safetensors')];
    await writeFile(victim, 'precious');
    await symlink(victim, output);
    await expect(convertCheckpoint({ checkpoint, options: { output } })).rejects.toMatchObject({ code: 'file-exists' });
    await convertCheckpoint({ checkpoint, options: { output, overwrite: true } });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect((await openFile(output)).table.length).toBe(1);
  });

  it('when the input changes while it is read', async () => {
    const folder = folders.make();
    const path = join(folder, 'in.safetensors');
    await writeFile(path, canonical(octetTensors(4 * MIB)));
    const checkpoint = await openFile(path);
    const output = join(folder, 'out.safetensors');
    let touched: Promise<void> | undefined;
    const converting = convertCheckpoint({
      checkpoint,
      options: { output },
      onProgress: () => {
        touched ??= writeFile(path, 'something else');
      },
    });
    await expect(converting).rejects.toMatchObject({ code: 'file-changed' });
    await touched;
    expect(readdirSync(folder)).toEqual(['in.safetensors']);
  });

  it('reads a file that was moved away since it was opened as it was', async () => {
    const folder = folders.make();
    const path = join(folder, 'in.safetensors');
    const whole = fileBytes(header(octets('a', 0, 3)), 3);
    await writeFile(path, whole);
    const checkpoint = await openFile(path);
    await rename(path, join(folder, 'moved.safetensors'));
    await writeFile(path, 'another file');
    const output = join(folder, 'out.safetensors');
    await convertCheckpoint({ checkpoint, options: { output } });
    expect(await (await openFile(output)).get('a').bytes()).toEqual(new Uint8Array(3));
  });
});
