import { mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../src/cli/selftest/craft.ts';
import { createInspectorService, type InspectorService } from '../../src/node/inspector-service.ts';
import { createScanEngine, type ScanEngine } from '../../src/node/scan/scan-engine.ts';
import { dense, stateDict, storage } from '../support/torch-bytes.ts';
import { zipBytes } from '../support/zip-bytes.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/sample.safetensors', import.meta.url));

interface Told {
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

let engine: ScanEngine;
let folder = '';
let service: InspectorService;
let told: Told[];
let pageBytes: Uint8Array = new Uint8Array();
let pageAnswers: ((range: { offset: number; length: number }) => Promise<Uint8Array>) | undefined;

beforeAll(async () => {
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')), threads: 2 });
  folder = await mkdtemp(join(tmpdir(), 'loupe-service-'));
});
afterAll(async () => {
  await engine.destroy();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  told = [];
  service = createInspectorService({
    engine,
    samplePath: SAMPLE,
    peer: {
      page: {
        readPageFile: async (range) =>
          pageAnswers?.(range) ?? pageBytes.slice(range.offset, range.offset + range.length),
      },
      emit: (event, payload) => told.push({ event, payload: { ...payload } }),
    },
  });
});
afterEach(() => service.dispose());

const write = async (name: string, header: string, data: Uint8Array | number): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, craftFile(header, data));
  return path;
};

describe('opening that nobody waits for any more', () => {
  /** A page that answers only when told to. */
  const slowPage = () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      pageAnswers = async ({ offset, length }) => {
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        return pageBytes.slice(offset, offset + length);
      };
    });
    return { asked, answer: () => answer() };
  };
  const FILE = { kind: 'page-file', fileId: 1, name: 'x', size: 200 } as const;

  it.each(['called off', 'of a window that is gone'])('ends, and leaves nothing open: %s', async (how) => {
    pageBytes = new Uint8Array(200);
    const { asked, answer } = slowPage();
    const controller = new AbortController();
    const opening = service.api.open(FILE, controller.signal);
    opening.catch(() => undefined);
    await asked;
    if (how === 'called off') {
      controller.abort();
    } else {
      service.dispose();
    }
    pageAnswers = undefined;
    answer();
    await expect(opening).rejects.toMatchObject({ code: 'cancelled' });
    await expect(service.api.tensors({ sessionId: 1, start: 0, count: 1 })).rejects.toMatchObject({
      code: 'no-such-session',
    });
  });
});

describe('the inspector service', () => {
  it('opens the sample, lists it, scans it and finds what is odd in it', async () => {
    const { sessionId, title, path, summary } = await service.api.open({ kind: 'sample' });
    expect(title).toBe('sample.safetensors');
    expect(path).toBe(SAMPLE);
    expect(summary).toMatchObject({ format: 'safetensors', tensors: 59, verdict: 'clean' });
    const page = await service.api.tensors({ sessionId, start: 10, count: 3 });
    expect(page.total).toBe(59);
    expect(page.rows.map(({ id }) => id)).toEqual([10, 11, 12]);
    expect(await service.api.scanAll({ sessionId })).toEqual({ scanned: 59, skipped: 0 });
    const stats = told
      .filter(({ event }) => event === 'tensorStats')
      .flatMap(({ payload }) => payload.results as unknown[]);
    expect(stats).toHaveLength(59);
    expect(told.filter(({ event }) => event === 'scanProgress').at(-1)?.payload).toMatchObject({
      bytesDone: summary.dataBytes,
      bytesTotal: summary.dataBytes,
      tensorsDone: 59,
    });
    expect(told.filter(({ event }) => event === 'findingsChanged').at(-1)?.payload).toMatchObject({
      verdict: 'warnings',
      findings: { warning: 8, note: 2 },
    });
    const { rows } = await service.api.findings({ sessionId, start: 0, count: 10 });
    const odd = rows.filter(({ code }) => code === 'layer-outlier');
    expect(odd.map(({ tensor }) => tensor?.split('.').slice(0, 3).join('.'))).toEqual(Array(7).fill('model.layers.4'));
    const others = rows.filter(({ code }) => code !== 'layer-outlier');
    expect(others.map(({ code }) => code).sort()).toEqual(['all-zero', 'constant', 'has-nan']);
    // Nothing is left to scan.
    expect(await service.api.scanAll({ sessionId })).toEqual({ scanned: 0, skipped: 59 });
  });

  it('reads archive members through once when everything is scanned', async () => {
    const root = stateDict({ a: dense(storage('FloatStorage', '0', 4), [4]) });
    const path = join(folder, 'crc.pt');
    const content = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
    await writeFile(
      path,
      zipBytes({ name: 'm/data.pkl', content: root }, { name: 'm/data/0', content, both: { crc32: 1 } }),
    );
    const { sessionId, summary } = await service.api.open({ kind: 'path', path });
    expect(summary.verdict).toBe('clean');
    await service.api.scanAll({ sessionId });
    expect(told.filter(({ event }) => event === 'scanProgress').at(-1)?.payload).toMatchObject({
      bytesDone: 32,
      bytesTotal: 32,
    });
    expect(told.filter(({ event }) => event === 'findingsChanged').at(-1)?.payload).toMatchObject({
      verdict: 'damaged',
      findings: { error: 1 },
    });
    await service.api.scanAll({ sessionId });
    const { rows } = await service.api.findings({ sessionId, start: 0, count: 10 });
    expect(rows.map(({ code }) => code)).toEqual(['zip-crc-mismatch']);
  });

  it('reads a file that only the page has, over ranges', async () => {
    pageBytes = craftFile(
      headerOf(entry('w', 'F32', '[2,2]', '[0,16]')),
      new Uint8Array(Float32Array.of(1, 2, 3, Number.NaN).buffer),
    );
    const opened = await service.api.open({
      kind: 'page-file',
      fileId: 1,
      name: 'dropped.safetensors',
      size: pageBytes.length,
    });
    expect(opened).toMatchObject({
      title: 'dropped.safetensors',
      path: undefined,
      summary: { verdict: 'clean', tensors: 1 },
    });
    const { sessionId } = opened;
    expect(await service.api.stats({ sessionId, tensorId: 0 })).toMatchObject({ count: 4, nan: 1, min: 1, max: 3 });
    expect(told).toMatchObject([{ event: 'findingsChanged', payload: { verdict: 'warnings' } }]);
    const values = await service.api.values({ sessionId, tensorId: 0, slice: '1,:', limit: 10 });
    expect(values).toMatchObject({ shape: [2], texts: ['3', 'NaN'], bits: ['40400000', '7FC00000'] });
    const path = join(folder, 'page.f32');
    expect(await service.api.exportTensor({ sessionId, tensorId: 0, format: 'f32', path })).toMatchObject({
      bytes: 16,
    });
    expect(await readFile(path)).toEqual(Buffer.from(pageBytes.subarray(-16)));
  });

  it('re-bins histograms over any range', async () => {
    const { sessionId } = await service.api.open({
      kind: 'path',
      path: await write(
        'h.safetensors',
        headerOf(entry('u', 'U8', '[6]', '[0,6]')),
        Uint8Array.of(0, 1, 2, 3, 200, 255),
      ),
    });
    const all = await service.api.histogram({ sessionId, tensorId: 0, bins: 5 });
    expect([Array.from(all.edges), Array.from(all.counts)]).toEqual([
      [0, 51, 102, 153, 204, 255],
      [4, 0, 0, 1, 1],
    ]);
    const part = await service.api.histogram({ sessionId, tensorId: 0, bins: 3, low: 1, high: 4 });
    expect([Array.from(part.counts), part.below, part.above]).toEqual([[1, 1, 1], 1, 2]);
  });

  it('refuses what is damaged, with the reason, and serves the rest', async () => {
    const { sessionId, summary } = await service.api.open({
      kind: 'path',
      path: await write(
        'cut.safetensors',
        headerOf(entry('a', 'F32', '[2]', '[0,8]'), entry('b', 'F32', '[2]', '[8,16]')),
        11,
      ),
    });
    expect(summary.sentence).toBe('Damaged: 1 of 2 tensors cut off, 5 bytes missing');
    expect((await service.api.stats({ sessionId, tensorId: 0 })).count).toBe(2);
    for (const work of [
      () => service.api.stats({ sessionId, tensorId: 1 }),
      () => service.api.values({ sessionId, tensorId: 1, limit: 10 }),
      () => service.api.histogram({ sessionId, tensorId: 1, bins: 2 }),
      () => service.api.exportTensor({ sessionId, tensorId: 1, format: 'f32', path: join(folder, 'never.f32') }),
      () => service.openExport({ sessionId, tensorId: 1, format: 'f32' }),
    ]) {
      await expect(work()).rejects.toMatchObject({
        code: 'unreadable-tensor',
        message: expect.stringContaining('3 of its 8 bytes'),
      });
    }
    expect(await service.api.scanAll({ sessionId })).toEqual({ scanned: 0, skipped: 2 });
  });

  it('turns a file that was cut while open into a finding', async () => {
    const path = await write('shrinks.safetensors', headerOf(entry('a', 'U8', '[9000]', '[0,9000]')), 9000);
    const { sessionId } = await service.api.open({ kind: 'path', path });
    await truncate(path, 100);
    await expect(service.api.values({ sessionId, tensorId: 0, limit: 10, slice: '8000:8010' })).rejects.toMatchObject({
      code: 'file-changed',
    });
    await expect(service.api.stats({ sessionId, tensorId: 0 })).rejects.toMatchObject({ code: 'file-changed' });
    const { rows } = await service.api.findings({ sessionId, start: 0, count: 10 });
    expect(rows.map(({ code }) => code)).toEqual(['file-changed']);
    expect(told.filter(({ event }) => event === 'findingsChanged')).toHaveLength(1);
  });

  it('says when another file has taken the path, and still shows the old one rightly', async () => {
    const header = headerOf(entry('a', 'U8', '[2]', '[0,2]'));
    const path = await write('old.safetensors', header, Uint8Array.of(1, 2));
    const { sessionId } = await service.api.open({ kind: 'path', path });
    await rename(await write('new.safetensors', header, Uint8Array.of(8, 9)), path);
    expect((await service.api.values({ sessionId, tensorId: 0, limit: 10 })).texts).toEqual(['1', '2']);
    const { rows } = await service.api.findings({ sessionId, start: 0, count: 10 });
    expect(rows).toMatchObject([{ code: 'file-changed', message: expect.stringContaining('replaced') }]);
    await expect(service.api.stats({ sessionId, tensorId: 0 })).rejects.toMatchObject({ code: 'file-changed' });
  });

  it('parses a header over 1 MB on a worker, to the same list', async () => {
    const count = 20_000;
    const members = Array.from({ length: count }, (_, k) =>
      entry(`model.layers.${k}.weight`, 'U8', '[1]', `[${k},${k + 1}]`),
    );
    const { sessionId, summary } = await service.api.open({
      kind: 'path',
      path: await write('many.safetensors', headerOf(...members), count),
    });
    expect(summary).toMatchObject({ tensors: count, parameters: count, dataBytes: count, verdict: 'clean' });
    const { rows } = await service.api.tensors({ sessionId, start: count - 1, count: 10 });
    expect(rows).toMatchObject([{ id: count - 1, name: `model.layers.${count - 1}.weight`, shape: [1] }]);
  });

  it('knows no session that was closed', async () => {
    const { sessionId } = await service.api.open({ kind: 'sample' });
    await service.api.close({ sessionId });
    await expect(service.api.tensors({ sessionId, start: 0, count: 1 })).rejects.toMatchObject({
      code: 'no-such-session',
    });
    await expect(service.api.close({ sessionId })).rejects.toMatchObject({ code: 'no-such-session' });
  });

  it('cancels a scan by its signal and by closing', async () => {
    const path = await write(
      'slow.safetensors',
      headerOf(entry('a', 'F64', '[8000000]', '[0,64000000]')),
      new Uint8Array(64_000_000),
    );
    const { sessionId } = await service.api.open({ kind: 'path', path });
    const controller = new AbortController();
    const scan = service.api.scanAll({ sessionId }, controller.signal);
    controller.abort();
    await expect(scan).rejects.toMatchObject({ code: 'cancelled' });
    const again = service.api.scanAll({ sessionId });
    await service.api.close({ sessionId });
    await expect(again).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('refuses more values than were allowed', async () => {
    const { sessionId } = await service.api.open({ kind: 'sample' });
    await expect(service.api.values({ sessionId, tensorId: 0, limit: 10 })).rejects.toMatchObject({
      code: 'too-large',
    });
  });
});
