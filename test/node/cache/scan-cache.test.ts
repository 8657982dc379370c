import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScanCache } from '../../../src/node/cache/scan-cache.ts';
import { createInspectorService, type InspectorService } from '../../../src/node/inspector-service.ts';
import { inlineEngine } from '../../../src/node/scan/inline-engine.ts';
import type { ScanEngine } from '../../../src/node/scan/scan-engine.ts';
import type { InspectorPeer } from '../../../src/shared/api.ts';
import { type MadeTensor, safetensorsBytes } from '../../e2e/support/make-safetensors.ts';
import { bertLike, llamaLike } from '../../support/healthy-models.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
let folder = '';
let path = '';
let tasks: string[] = [];
const services: InspectorService[] = [];

/** An engine that tells what it was asked to do. */
const watchedEngine = (): ScanEngine => {
  const engine = inlineEngine();
  return {
    ...engine,
    run: (name, task) => {
      tasks.push(name);
      return engine.run(name, task);
    },
  };
};

const SMALL = { layers: 6, hidden: 24, inner: 48, vocabulary: 64, keyValue: 12 };

/** A model with a NaN, dead rows and a scaled layer, so that there is something to remember. */
const oddModel = (): MadeTensor[] =>
  llamaLike(SMALL).map((tensor) => {
    const bytes = tensor.bytes.slice();
    if (tensor.name === 'model.layers.1.mlp.up_proj.weight') {
      bytes.fill(0, 0, 24 * 2 * 2);
      bytes.set([0xc0, 0x7f], 24 * 2 * 5);
    }
    return { ...tensor, bytes };
  });

const write = (tensors: readonly MadeTensor[] = oddModel(), at = path): void => {
  writeFileSync(at, safetensorsBytes(tensors));
  // Long enough ago that another change would show.
  const past = new Date(Date.now() - 60_000);
  utimesSync(at, past, past);
};

/** Opens and scans the file in a service of its own; returns all that can be seen of it. */
const scan = async (cache: ScanCache, what = path) => {
  const told: { event: string; payload: Record<string, unknown> }[] = [];
  const peer: InspectorPeer = {
    page: { readPageFile: () => Promise.reject(new Error('there is no page')) },
    emit: (event, payload) => told.push({ event, payload: { ...payload } }),
  };
  const service = createInspectorService({ engine: watchedEngine(), cache, samplePath: '', peer });
  services.push(service);
  const { sessionId, summary } = await service.api.open({ kind: 'path', path: what });
  tasks = [];
  const outcome = await service.api.scanAll({ sessionId });
  const read = tasks.filter((name) => name !== 'loadScan' && name !== 'storeScan');
  const { rows } = await service.api.findings({ sessionId, start: 0, count: 1000 });
  const stats = await Promise.all(
    Array.from({ length: summary.tensors }, (_, tensorId) => service.api.stats({ sessionId, tensorId })),
  );
  const emitted = told.filter(({ event }) => event === 'tensorStats').flatMap(({ payload }) => payload.results);
  return { outcome, read, rows, stats, emitted, stored: tasks.includes('storeScan') };
};

const newCache = (): ScanCache => new ScanCache(inlineEngine(), join(folder, 'cache'));
const entries = (): string[] => readdirSync(join(folder, 'cache'));

beforeEach(() => {
  folder = folders.make();
  path = join(folder, 'model.safetensors');
  write();
});
afterEach(() => {
  for (const service of services.splice(0)) {
    service.dispose();
  }
});

/** ctime cannot be set, so tests wait until the file has settled. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 4100));

describe('opening the same files again', () => {
  it('reads nothing and finds all the same, from the folder and from memory', async () => {
    await settled();
    const cache = newCache();
    const first = await scan(cache);
    expect(first.read.length).toBeGreaterThan(1);
    expect(new Set(first.rows.map(({ code }) => code))).toEqual(new Set(['has-nan', 'dead-rows', 'identical-tensors']));
    for (const again of [await scan(cache), await scan(newCache())]) {
      expect(again.read).toEqual([]);
      expect(again.outcome).toEqual(first.outcome);
      expect(again.rows).toEqual(first.rows);
      expect(again.stats).toEqual(first.stats);
      expect(again.emitted).toHaveLength(first.emitted.length);
    }
    expect(entries()).toHaveLength(1);
    const [entry = ''] = entries();
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, 'cache', entry)).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, 'cache')).mode & 0o777).toBe(0o700);
    }

    // Corrupted, cut off, of another version or another file: scanned again, and mended.
    const file = join(folder, 'cache', entry);
    const sound = readFileSync(file, 'utf8');
    for (const broken of [
      '',
      '{',
      sound.slice(0, -100),
      sound.replace('"version":1', '"version":2'),
      sound.replace('model.safetensors', 'other.safetensors'),
      sound.replace('"bools":0', '"bools":-1'),
      sound.replace('"count":', '"count":1'),
      sound.replace('"id":3,', '"id":2,'),
      sound.replace('"std":', '"std":"x","s":'),
      'x'.repeat(40_000_000),
    ]) {
      expect(broken).not.toBe(sound);
      writeFileSync(file, broken);
      const again = await scan(newCache());
      expect(again.read.length).toBeGreaterThan(1);
      expect(again.stats).toEqual(first.stats);
      expect(readFileSync(file, 'utf8')).toBe(sound);
    }

    // The same bytes at another path, and other bytes at this one, are other files.
    const moved = join(folder, 'moved.safetensors');
    renameSync(path, moved);
    expect((await scan(newCache(), moved)).read.length).toBeGreaterThan(1);
    const before = statSync(moved);
    write(bertLike(), path);
    expect((await scan(newCache())).read.length).toBeGreaterThan(1);

    // Rewritten in place with its time set back: the time of status change gives it away.
    const bytes = readFileSync(moved);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    writeFileSync(moved, bytes);
    utimesSync(moved, before.atime, before.mtime);
    expect(statSync(moved).mtimeMs).toBe(before.mtimeMs);
    expect((await scan(newCache(), moved)).read.length).toBeGreaterThan(1);
  }, 60_000);
});

describe('a scan is not kept', () => {
  it('of a file that was written just before', async () => {
    writeFileSync(path, safetensorsBytes(oddModel()));
    const cache = newCache();
    await scan(cache);
    expect((await scan(cache)).read.length).toBeGreaterThan(1);
    expect(() => entries()).toThrow();
  });

  it('where nothing can be written; then it is kept in memory', async () => {
    await settled();
    writeFileSync(join(folder, 'cache'), 'a file in the way');
    const cache = newCache();
    await scan(cache);
    expect((await scan(cache)).read).toEqual([]);
    expect((await scan(newCache())).read.length).toBeGreaterThan(1);
  }, 30_000);

  it('of a model with a shard missing', async () => {
    const model = join(folder, 'sharded');
    mkdirSync(model);
    write(oddModel(), join(model, 'model-00001-of-00002.safetensors'));
    const index = {
      metadata: {},
      weight_map: { a: 'model-00001-of-00002.safetensors', b: 'model-00002-of-00002.safetensors' },
    };
    writeFileSync(join(model, 'model.safetensors.index.json'), JSON.stringify(index));
    const cache = newCache();
    const peer: InspectorPeer = {
      page: { readPageFile: () => Promise.reject(new Error('no page')) },
      emit: () => undefined,
    };
    const service = createInspectorService({ engine: watchedEngine(), cache, samplePath: '', peer });
    services.push(service);
    const { sessionId } = await service.api.open({ kind: 'path', path: model });
    await service.api.scanAll({ sessionId });
    expect(tasks).not.toContain('storeScan');
  });
});
