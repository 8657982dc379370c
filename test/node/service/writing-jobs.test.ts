import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createInspectorService, type InspectorService } from '../../../src/node/inspector-service.ts';
import { createScanEngine, type ScanEngine } from '../../../src/node/scan/scan-engine.ts';
import { METHODS } from '../../../src/shared/api.ts';
import { entry, fileBytes, header, member, octets } from '../../support/safetensors-bytes.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const MIB = 1024 * 1024;
let engine: ScanEngine;
let service: InspectorService;
const told: { readonly event: string; readonly payload: object }[] = [];

beforeAll(() => {
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')), threads: 1 });
  service = createInspectorService({
    engine,
    samplePath: '',
    peer: {
      page: { readPageFile: async () => new Uint8Array() },
      emit: (event, payload) => told.push({ event, payload }),
    },
  });
});
afterAll(async () => {
  service.dispose();
  await engine.destroy();
});

const open = async (bytes: Uint8Array): Promise<number> => {
  const path = join(folders.make(), 'in.safetensors');
  await writeFile(path, bytes);
  return (await service.api.open({ kind: 'path', path })).sessionId;
};

/** The longest time, in milliseconds, that the event loop did not turn while work went on. */
const longestStall = async (work: Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await work.finally(() => clearInterval(timer));
  return longest;
};

describe('convert', () => {
  it('writes shards, an index, notes and progress', async () => {
    const sessionId = await open(fileBytes(header(octets('a', 0, 4), octets('b', 0, 4), octets('c', 4, 9)), 9));
    const output = join(folders.make(), 'model');
    const params = METHODS.convert.parse({ sessionId, output, maxShardBytes: 5, metadata: [['format', 'pt']] });
    const { written, index, notes } = await service.api.convert(params);
    expect(written.map(({ name, tensors }) => [name, tensors])).toEqual([
      ['model-00001-of-00003.safetensors', 1],
      ['model-00002-of-00003.safetensors', 1],
      ['model-00003-of-00003.safetensors', 1],
    ]);
    expect(index).toBe(join(output, 'model.safetensors.index.json'));
    expect(notes).toEqual(['"a", "b" share the same 4 bytes; each got its own copy']);
    const bytesTotal = written.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(told.findLast(({ event }) => event === 'writeProgress')?.payload).toEqual({
      sessionId,
      bytesDone: bytesTotal,
      bytesTotal,
    });
    const { summary } = await service.api.open({ kind: 'path', path: output });
    expect(summary).toMatchObject({ tensors: 3, verdict: 'clean', metadata: [{ key: 'format', value: 'pt' }] });
  });

  it('ends when its signal is aborted or its checkpoint is closed, and leaves nothing', async () => {
    const output = join(folders.make(), 'out.safetensors');
    for (const how of ['abort', 'close']) {
      const sessionId = await open(fileBytes(header(octets('a', 0, 64 * MIB)), 64 * MIB));
      const controller = new AbortController();
      const converting = service.api.convert({ sessionId, output }, controller.signal);
      if (how === 'abort') {
        controller.abort();
      } else {
        await service.api.close({ sessionId });
      }
      await expect(converting, how).rejects.toMatchObject({ code: 'cancelled' });
      expect(existsSync(output)).toBe(false);
    }
  });

  it('lets the event loop turn all the while', async () => {
    const sessionId = await open(fileBytes(header(octets('a', 0, 48 * MIB)), 48 * MIB));
    const output = join(folders.make(), 'out.safetensors');
    // In one go it would take far longer; how long a turn takes on a busy machine is not this test's to say.
    expect(await longestStall(service.api.convert({ sessionId, output }))).toBeLessThan(1000);
  });

  it('refuses a checkpoint that is not open', async () => {
    await expect(service.api.convert({ sessionId: 999, output: 'x' })).rejects.toMatchObject({
      code: 'no-such-session',
    });
  });
});

describe('exportMany', () => {
  it('writes what matches, a manifest and notes', async () => {
    const sessionId = await open(
      fileBytes(header(member('x.w', entry('F64', '[1]', '[0,8]')), octets('y', 8, 9)), Buffer.alloc(9, 0x3f)),
    );
    const folder = join(folders.make(), 'into');
    const params = METHODS.exportMany.parse({ sessionId, include: 'x.*', folder, format: 'f32' });
    const { written, manifest, notes } = await service.api.exportMany(params);
    expect(readdirSync(folder).sort()).toEqual(['manifest.json', 'x.w.f32']);
    expect(manifest).toBe(join(folder, 'manifest.json'));
    expect(written).toEqual([
      { name: 'x.w', path: join(folder, 'x.w.f32'), bytes: 4, precision: { values: 1, inexact: 1, overflowed: 0 } },
    ]);
    expect(notes).toEqual(['"x.w": 1 of 1 numbers are not exact in float32']);
    expect(told.at(-1)).toMatchObject({ event: 'writeProgress', payload: { sessionId, bytesDone: 4 } });
    await expect(service.api.exportMany(params)).rejects.toMatchObject({ code: 'file-exists' });
  });
});

describe('the contract', () => {
  it('refuses what it does not know', () => {
    const refused = [
      METHODS.convert.safeParse({ sessionId: 1, output: '' }),
      METHODS.convert.safeParse({ sessionId: 1, output: 'x', maxShardBytes: 0 }),
      METHODS.convert.safeParse({ sessionId: 1, output: 'x', metadata: [['k']] }),
      METHODS.convert.safeParse({ sessionId: 1, output: 'x', force: true }),
      METHODS.exportMany.safeParse({ sessionId: 1, include: '*', folder: 'x', format: 'pickle' }),
    ];
    expect(refused.map(({ success }) => success)).toEqual(refused.map(() => false));
  });
});
