import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { craftFile, entry, headerOf } from '../../../../src/cli/selftest/craft.ts';
import type { Checkpoint } from '../../../../src/core/checkpoint.ts';
import { inspectPath } from '../../../../src/node/open-checkpoint.ts';

export const INDEX = 'model.safetensors.index.json';
/** Name of one shard of a numbered set. */
export const shardName = (number: number, total = 3): string =>
  `model-${String(number).padStart(5, '0')}-of-${String(total).padStart(5, '0')}.safetensors`;

/** The folder of the test at hand. */
export let folder = '';
let opened: Checkpoint[] = [];
/** Gives each test of a file a folder of its own, and closes what it opened. */
export const shardFolderEach = (): void => {
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
};

/** A shard of U8 tensors of 4 bytes, each filled with its own number. */
export const shard = (...names: readonly string[]): Uint8Array =>
  craftFile(
    headerOf(...names.map((name, k) => entry(name, 'U8', '[4]', `[${k * 4},${k * 4 + 4}]`))),
    Uint8Array.from({ length: names.length * 4 }, (_, at) => Math.floor(at / 4) + 1),
  );

/** Writes a file into the folder. */
export const write = (name: string, content: Uint8Array | string): Promise<void> =>
  writeFile(join(folder, name), content);
/** Writes the index. */
export const writeIndex = (weightMap: Readonly<Record<string, unknown>>, totalSize?: unknown): Promise<void> =>
  write(
    INDEX,
    JSON.stringify({ metadata: totalSize === undefined ? {} : { total_size: totalSize }, weight_map: weightMap }),
  );

/** Opens leniently; closed after the test. */
export const inspect = async (path: string): Promise<Checkpoint> => {
  const checkpoint = await inspectPath(path);
  opened.push(checkpoint);
  return checkpoint;
};
/** Codes of the findings. */
export const codes = ({ findings }: Checkpoint): string[] => findings.map(({ code }) => code);

/** Three shards of two tensors each, all listed. */
export const writeModel = async (): Promise<void> => {
  await write(shardName(1), shard('a', 'b'));
  await write(shardName(2), shard('c', 'd'));
  await write(shardName(3), shard('e', 'f'));
  await writeIndex(
    { a: shardName(1), b: shardName(1), c: shardName(2), d: shardName(2), e: shardName(3), f: shardName(3) },
    24,
  );
};
