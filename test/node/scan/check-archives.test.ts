import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../src/core/checkpoint.ts';
import { inspectPath } from '../../../src/node/open-checkpoint.ts';
import { checkArchives, uncheckedBytes } from '../../../src/node/scan/check-archives.ts';
import { inlineEngine } from '../../../src/node/scan/inline-engine.ts';
import { createScanEngine, type ScanEngine } from '../../../src/node/scan/scan-engine.ts';
import { dense, stateDict, storage } from '../../support/torch-bytes.ts';
import { zipBytes } from '../../support/zip-bytes.ts';

let engine: ScanEngine;
let folder = '';
beforeAll(async () => {
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')), threads: 2 });
  folder = await mkdtemp(join(tmpdir(), 'loupe-archives-'));
});
afterAll(async () => {
  await engine.destroy();
  await rm(folder, { recursive: true });
});

const ELEMENTS = 1024 * 1024;
const key = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

/** `count` storages of 4 MiB, the last one with a CRC that is not its own. */
const damaged = (count: number): Uint8Array => {
  const names = key(count);
  const root = stateDict(
    Object.fromEntries(names.map((name) => [name, dense(storage('FloatStorage', name, ELEMENTS), [ELEMENTS])])),
  );
  const content = new Uint8Array(4 * ELEMENTS);
  return zipBytes(
    { name: 'm/data.pkl', content: root },
    ...names.map((name, index) => ({
      name: `m/data/${name}`,
      content,
      ...(index === count - 1 ? { both: { crc32: 3 } } : {}),
    })),
  );
};

const codes = async (checkpoint: Checkpoint, on: ScanEngine): Promise<string[]> =>
  (await checkArchives(on, { checkpoint, which: 'all' })).map(({ code }) => code);

describe('checkArchives', () => {
  it('finds the same on threads, here, and in a source that no thread can open', async () => {
    const bytes = damaged(20);
    const path = join(folder, 'threads.pt');
    await writeFile(path, bytes);
    const checkpoint = await inspectPath(path);
    expect(uncheckedBytes(checkpoint, 'all')).toBe(20 * 4 * ELEMENTS);
    expect(uncheckedBytes(checkpoint, 'deflated')).toBe(0);
    expect(await codes(checkpoint, engine)).toEqual(['zip-crc-mismatch']);
    expect(await codes(checkpoint, inlineEngine())).toEqual(['zip-crc-mismatch']);
    const inMemory = await inspectSource(memorySource(bytes, 'threads.pt'));
    expect(await codes(inMemory, engine)).toEqual(['zip-crc-mismatch']);
    let told = 0;
    await checkArchives(engine, { checkpoint, which: 'all', onProgress: (done) => (told = done) });
    expect(told).toBe(20 * 4 * ELEMENTS);
    checkpoint.close();
  });

  it('stops when it is told to', async () => {
    const path = join(folder, 'cancelled.pt');
    await writeFile(path, damaged(20));
    const checkpoint = await inspectPath(path);
    const controller = new AbortController();
    const running = checkArchives(engine, { checkpoint, which: 'all', signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(checkArchives(engine, { checkpoint, which: 'all', signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    checkpoint.close();
  });

  it('says that a file was changed, and fails nothing else', async () => {
    const path = join(folder, 'changed.pt');
    await writeFile(path, damaged(1));
    const checkpoint = await inspectPath(path);
    await writeFile(path, damaged(2));
    expect(await codes(checkpoint, engine)).toEqual(['file-changed']);
    checkpoint.close();
  });
});
