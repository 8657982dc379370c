import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../../src/cli/selftest/craft.ts';
import type { ByteSource } from '../../../src/core/bytes/byte-source.ts';
import { type Checkpoint, inspectSource } from '../../../src/core/checkpoint.ts';
import { tensorDistribution } from '../../../src/core/distribution/tensor-distribution.ts';
import { buildHeader } from '../../../src/core/formats/safetensors/write-header.ts';
import { inspectPath } from '../../../src/node/open-checkpoint.ts';
import { inlineEngine } from '../../../src/node/scan/inline-engine.ts';
import { createScanEngine, type ScanEngine } from '../../../src/node/scan/scan-engine.ts';
import type { ScannedTensor, TaskError } from '../../../src/node/scan/scan-tasks.ts';
import { scanTensors } from '../../../src/node/scan/scan-tensors.ts';

let folder = '';
let engine: ScanEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-scan-'));
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')), threads: 2 });
});
afterAll(async () => {
  await engine.destroy();
  await rm(folder, { recursive: true });
});

/** A repeatable stream of 32-bit words. */
const noise = (bytes: number): Uint8Array => {
  const words = new Uint32Array(Math.ceil(bytes / 4));
  let state = 1;
  for (let index = 0; index < words.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[index] = state;
  }
  return new Uint8Array(words.buffer).subarray(0, bytes);
};

const writeCheckpoint = async (
  name: string,
  tensors: readonly { name: string; dtype: string; count: number; size: number }[],
) => {
  const listed = tensors.map(({ name: own, dtype, count, size }) => ({
    name: own,
    dtype,
    shape: [count],
    bytes: count * size,
  }));
  const { prefix, order } = buildHeader(listed);
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([prefix, ...order.map(({ bytes }) => noise(bytes))]));
  return path;
};

const allIds = ({ table }: Checkpoint): number[] => Array.from({ length: table.length }, (_, id) => id);

interface Outcome {
  readonly done: Map<number, ScannedTensor>;
  readonly failed: Map<number, TaskError>;
  readonly progress: number[];
}

const scan = async (
  on: ScanEngine,
  checkpoint: Checkpoint,
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<Outcome> => {
  const outcome: Outcome = { done: new Map(), failed: new Map(), progress: [] };
  await scanTensors(on, {
    table: checkpoint.table,
    sources: checkpoint.sources,
    ids,
    bins: 16,
    keep: false,
    signal,
    onTensor: (tensor) => outcome.done.set(tensor.tensorId, tensor),
    onFailed: (id, error) => outcome.failed.set(id, error),
    onProgress: (bytes) => outcome.progress.push(bytes),
  });
  return outcome;
};

describe('scanTensors', () => {
  it('gives on worker threads, cut into pieces and batched, exactly what one pass gives', async () => {
    // Larger than one piece of 32 MiB, and many small ones.
    const small = Array.from({ length: 40 }, (_, index) => ({
      name: `s${index}`,
      dtype: 'F32',
      count: 100 + index,
      size: 4,
    }));
    const path = await writeCheckpoint('mixed.safetensors', [
      { name: 'large', dtype: 'BF16', count: 20_000_003, size: 2 },
      { name: 'wide', dtype: 'F32', count: 9_000_001, size: 4 },
      { name: 'none', dtype: 'I64', count: 0, size: 8 },
      ...small,
    ]);
    const checkpoint = await inspectPath(path);
    const threads = await scan(engine, checkpoint, allIds(checkpoint));
    expect(threads.failed.size).toBe(0);
    expect(threads.done.size).toBe(43);
    expect(threads.progress.at(-1)).toBe(checkpoint.summary.dataBytes);
    // Here two tasks take turns at every window.
    const inline = await scan(inlineEngine(), checkpoint, allIds(checkpoint));
    for (const tensor of checkpoint.tensors) {
      const expected = (await tensorDistribution(tensor)).summarise(tensor.name, 16);
      expect(threads.done.get(tensor.id)?.stats, tensor.name).toEqual(expected);
      expect(inline.done.get(tensor.id)?.stats, tensor.name).toEqual(expected);
    }
    checkpoint.close();
  });

  it('scans a source that no worker can open by pulling its bytes', async () => {
    const bytes = craftFile(
      headerOf(entry('a', 'F32', '[1000]', '[0,4000]'), entry('b', 'F4', '[6]', '[4000,4003]')),
      noise(4003),
    );
    const reads: number[] = [];
    const source: ByteSource = {
      name: 'remote',
      size: bytes.byteLength,
      read: async (offset, target) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        reads.push(target.byteLength);
        target.set(bytes.subarray(offset, offset + target.byteLength));
      },
      close: () => undefined,
    };
    const checkpoint = await inspectSource(source);
    const pulled = await scan(engine, checkpoint, [0, 1]);
    const inline = await scan(inlineEngine(), checkpoint, [0, 1]);
    expect(pulled.done.size).toBe(2);
    expect(pulled.done.get(0)?.stats).toEqual(inline.done.get(0)?.stats);
    expect(pulled.done.get(1)?.stats.count).toBe(6);
    expect(Math.max(...reads)).toBeLessThanOrEqual(4096);
  });

  it('cancels: what is done by then was told, the rest never comes', async () => {
    const path = await writeCheckpoint(
      'cancel.safetensors',
      Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, dtype: 'F64', count: 1_000_000, size: 8 })),
    );
    const checkpoint = await inspectPath(path);
    const controller = new AbortController();
    let told = 0;
    const work = scanTensors(engine, {
      table: checkpoint.table,
      sources: checkpoint.sources,
      ids: allIds(checkpoint),
      bins: 16,
      keep: false,
      signal: controller.signal,
      onTensor: () => {
        told += 1;
        controller.abort();
      },
      onFailed: () => undefined,
    });
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    const after = told;
    expect(after).toBeLessThan(12);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(told).toBe(after);
    // The engine goes on working for others.
    expect((await scan(engine, checkpoint, [0])).done.size).toBe(1);
    checkpoint.close();
  });

  it('refuses at once when it was cancelled before', async () => {
    const checkpoint = await inspectSource({
      name: 'x',
      size: 10,
      read: (_at, target) => void target.set(craftFile('{}').subarray(0, target.length)),
      close: () => undefined,
    });
    await expect(scan(engine, checkpoint, [], AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('notices that the file was cut or replaced since it was opened', async () => {
    const path = await writeCheckpoint('cut.safetensors', [{ name: 'a', dtype: 'U8', count: 100_000, size: 1 }]);
    const checkpoint = await inspectPath(path);
    await truncate(path, 5000);
    const cut = await scan(engine, checkpoint, [0]);
    expect(cut.failed.get(0)).toMatchObject({ code: 'file-changed' });
    expect(cut.done.size).toBe(0);
    checkpoint.close();

    const other = await writeCheckpoint('other.safetensors', [{ name: 'a', dtype: 'U8', count: 100_000, size: 1 }]);
    const again = await inspectPath(other);
    await rename(
      await writeCheckpoint('new.safetensors', [{ name: 'a', dtype: 'U8', count: 100_000, size: 1 }]),
      other,
    );
    expect((await scan(engine, again, [0])).failed.get(0)).toMatchObject({ code: 'file-changed' });
    again.close();
  });
});
