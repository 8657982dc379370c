import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createInspectorService, type InspectorService } from '../../src/node/inspector-service.ts';
import { createScanEngine, type ScanEngine } from '../../src/node/scan/scan-engine.ts';
import { connectInspector, type InspectorClient, serveInspector } from '../../src/rpc/inspector.ts';
import type { Events, InspectorApi, InspectorPeer, PageApi } from '../../src/shared/api.ts';
import { CancelledError } from '../../src/shared/errors.ts';
import { PICKLE_GRADES } from '../../src/shared/pickle-types.ts';
import { TRANSPORTS, type Transport } from './transports.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const WHOLE = fixture('good/all_dtypes.safetensors');
const DAMAGED = fixture('bad/b03_trunc.safetensors');
const ARCHIVE = fixture('zip/zip_optimizer.pt');
const CALLS = fixture('pickle/pickle_calls_print.pkl');

let folder = '';
let engine: ScanEngine;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-contract-'));
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')) });
});
afterAll(async () => {
  await engine.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const serviceFor = (peer: InspectorPeer): InspectorService =>
  createInspectorService({ engine, samplePath: WHOLE, peer });

/** A safetensors file of one F32 tensor, all zeros, that takes no room on the disk. */
const sparseFile = (name: string, elements: number): string => {
  const path = join(folder, name);
  const json = JSON.stringify({ w: { dtype: 'F32', shape: [elements], data_offsets: [0, elements * 4] } });
  const header = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ');
  header.writeBigUInt64LE(BigInt(header.length - 8));
  header.write(json, 8);
  const file = openSync(path, 'w');
  writeSync(file, header);
  ftruncateSync(file, header.length + elements * 4);
  closeSync(file);
  return path;
};

/** Asks an API for everything it can tell of one file. Only the service's own methods; no session ids in the answer. */
const tellAll = async (
  api: Pick<InspectorApi, keyof InspectorService['api']>,
  what: Parameters<InspectorApi['open']>[0],
) => {
  const { sessionId, ...opened } = await api.open(what);
  const { rows } = await api.tensors({ sessionId, start: 0, count: 100 });
  const settled = <T>(work: Promise<T>) =>
    work.catch(({ code, message, details }) => ({ code, message, details: JSON.stringify(details) }));
  const tensors = [];
  for (const { id } of rows) {
    const tensor = { sessionId, tensorId: id };
    tensors.push({
      stats: await settled(api.stats(tensor)),
      histogram: await settled(api.histogram({ ...tensor, bins: 8 })),
      values: await settled(api.values({ ...tensor, limit: 300 })),
    });
  }
  const pickles = await tellPickles(api, sessionId);
  const outcome = await api.scanAll({ sessionId });
  const findings = await api.findings({ sessionId, start: 0, count: 100 });
  const wrongSlice = await settled(api.values({ sessionId, tensorId: 0, slice: '9:9:0', limit: 1 }));
  await api.close({ sessionId });
  const afterwards = await settled(api.tensors({ sessionId, start: 0, count: 1 })).then((answer) =>
    'code' in answer ? answer.code : 'still open',
  );
  return { opened, rows, tensors, pickles, outcome, findings, wrongSlice, afterwards };
};

/** Everything an API can tell of what the pickles of a file would run and build. */
const tellPickles = async (api: Pick<InspectorApi, keyof InspectorService['api']>, sessionId: number) => {
  const overview = await api.pickles({ sessionId });
  const events = await api.pickleEvents({ sessionId, grades: PICKLE_GRADES.slice(), start: 0, count: 200 });
  const first = events.rows[0];
  const found =
    first === undefined
      ? undefined
      : await api.findPickleEvent({ sessionId, pickle: 0, byte: first.byte, grades: [first.grade] });
  const values = [];
  for (const [tree, { root }] of overview.trees.entries()) {
    const open: (readonly number[])[] = root.children > 0 ? [[]] : [];
    for (let at = open.shift(); at !== undefined && values.length < 60; at = open.shift()) {
      const page = await api.valueChildren({ sessionId, tree, at: [...at], start: 0, count: 20 });
      values.push(page, await api.valueText({ sessionId, tree, at: [...at] }));
      for (const { index, children } of page.rows) {
        if (children > 0) {
          open.push([...at, index]);
        }
      }
    }
  }
  return { overview, events, found, values };
};

const noPage: PageApi = { readPageFile: () => Promise.reject(new Error('there is no such file')) };

describe.each(TRANSPORTS)('the inspector service over %s', (_name, connect) => {
  let transport: Transport;
  let service: InspectorService | undefined;

  beforeEach(async () => {
    transport = await connect();
  });
  afterEach(async () => {
    service?.dispose();
    await transport.end();
  });

  /** Joins a page and the service by the transport. */
  const join_ = (page: PageApi = noPage): InspectorClient => {
    serveInspector(transport.server, (peer) => {
      const own = serviceFor(peer);
      // A port tells of its end late; by then the next test has a service.
      transport.server.onClose(() => own.dispose());
      service = own;
      return own.api;
    });
    return connectInspector(transport.client, page);
  };

  it.each([
    ['a whole file', WHOLE],
    ['a damaged one', DAMAGED],
    ['a PyTorch archive', ARCHIVE],
    ['a pickle that calls something', CALLS],
  ])('tells the same of %s as without a wire', async (_kind, path) => {
    const direct = serviceFor({ page: noPage, emit: () => undefined });
    const expected = await tellAll(direct.api, { kind: 'path', path });
    direct.dispose();
    const told = await tellAll(join_().api, { kind: 'path', path });
    expect(told).toEqual(expected);
    expect(told.afterwards).toBe('no-such-session');
  });

  it('lists what a pickle would run and build, and refuses what is not there', async () => {
    const { api } = join_();
    const { sessionId, summary } = await api.open({ kind: 'path', path: CALLS });
    expect([summary.pickles, summary.valueTrees]).toEqual([1, 1]);
    const { counts } = await api.pickles({ sessionId });
    const dangers = await api.pickleEvents({ sessionId, grades: ['dangerous'], start: 0, count: 10 });
    expect(dangers.total).toBe(counts.dangerous);
    expect(dangers.rows.map(({ kind, what }) => [kind, what])).toContainEqual(['call', 'builtins.print']);
    await expect(api.valueChildren({ sessionId, tree: 0, at: [99], start: 0, count: 1 })).rejects.toMatchObject({
      code: 'no-such-value',
    });
    await expect(api.valueText({ sessionId, tree: 5, at: [] })).rejects.toMatchObject({ code: 'no-such-value' });
    await api.close({ sessionId });
    await expect(api.pickles({ sessionId })).rejects.toMatchObject({ code: 'no-such-session' });
  });

  it('brings numbers as arrays of their own', async () => {
    const { api } = join_();
    const { sessionId } = await api.open({ kind: 'sample' });
    const { numbers } = await api.values({ sessionId, tensorId: 1, limit: 2 });
    expect(numbers).toBeInstanceOf(Float64Array);
    expect(numbers.byteLength).toBe(numbers.buffer.byteLength);
    const { edges, counts } = await api.histogram({ sessionId, tensorId: 1, bins: 4 });
    expect([edges.length, counts.length]).toEqual([5, 4]);
  });

  it('reads a file of the page in the reverse direction, by ranges, and tells the same of it', async () => {
    const direct = serviceFor({ page: noPage, emit: () => undefined });
    const { opened, ...expected } = await tellAll(direct.api, { kind: 'path', path: WHOLE });
    direct.dispose();
    const bytes = readFileSync(WHOLE);
    const asked: number[] = [];
    const client = join_({
      readPageFile: async ({ fileId, offset, length }) => {
        expect(fileId).toBe(7);
        asked.push(length);
        return new Uint8Array(bytes.subarray(offset, offset + length));
      },
    });
    const told = await tellAll(client.api, { kind: 'page-file', fileId: 7, name: basename(WHOLE), size: bytes.length });
    expect({ ...told, opened: undefined }).toEqual({ ...expected, opened: undefined });
    expect(told.opened.path).toBeUndefined();
    expect(told.opened.summary.tensors).toBe(opened.summary.tensors);
    expect(asked.length).toBeGreaterThan(2);
    expect(Math.max(...asked)).toBeLessThanOrEqual(bytes.length);
  });

  it.each<[string, PageApi['readPageFile']]>([
    ['answers too little', async ({ length }) => new Uint8Array(Math.max(0, length - 1))],
    ['fails', () => Promise.reject(new Error('the file has been removed'))],
  ])('answers with an error when the page %s', async (_how, readPageFile) => {
    const { api } = join_({ readPageFile });
    const opening = api.open({ kind: 'page-file', fileId: 1, name: 'x.safetensors', size: 1000 });
    await expect(opening).rejects.toMatchObject({ code: expect.any(String) });
    expect((await api.open({ kind: 'sample' })).summary.format).toBe('safetensors');
  });

  it('tells of a scan as it goes, before its end', async () => {
    const client = join_();
    const heard: string[] = [];
    const stats = new Set<number>();
    client.on('scanProgress', ({ tensorsDone }) => heard.push(`progress ${tensorsDone}`));
    client.on('tensorStats', ({ results }: Events['tensorStats']) => {
      for (const { tensorId } of results) {
        stats.add(tensorId);
      }
    });
    const { sessionId, summary } = await client.api.open({ kind: 'path', path: WHOLE });
    const { scanned, skipped } = await client.api.scanAll({ sessionId });
    heard.push('answer');
    expect(scanned + skipped).toBe(summary.tensors);
    expect(stats.size).toBe(scanned);
    expect(heard.at(-2)).toBe(`progress ${scanned}`);
    expect(heard.at(-1)).toBe('answer');
  });

  it('ends a scan soon after it is called off, and lives on', async () => {
    const client = join_();
    const path = sparseFile('large.safetensors', 2 ** 31);
    const { sessionId } = await client.api.open({ kind: 'path', path });
    const controller = new AbortController();
    let progress: Events['scanProgress'] | undefined;
    client.on('scanProgress', (event) => {
      progress = event;
    });
    const scan = client.api.scanAll({ sessionId }, controller.signal);
    await vi.waitFor(() => expect(progress).toBeDefined(), 10_000);
    controller.abort();
    await expect(scan).rejects.toBeInstanceOf(CancelledError);
    expect((await client.api.tensors({ sessionId, start: 0, count: 1 })).total).toBe(1);
    await vi.waitFor(async () => {
      const before = progress;
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(progress).toBe(before);
    }, 10_000);
    expect(progress?.bytesDone).toBeLessThan(progress?.bytesTotal ?? 0);
  });

  it('writes an export and tells what it wrote', async () => {
    const { api } = join_();
    const { sessionId } = await api.open({ kind: 'path', path: WHOLE });
    const { rows } = await api.tensors({ sessionId, start: 0, count: 100 });
    const id = rows.find(({ name }) => name === 'f32')?.id ?? -1;
    const path = join(folder, `f32-${Math.random()}.f32`);
    const written = await api.exportTensor({ sessionId, tensorId: id, format: 'f32', path });
    expect(written).toMatchObject({ path, bytes: 16 });
    expect([...new Float32Array(new Uint8Array(readFileSync(path)).buffer)].slice(0, 2)).toEqual([1.5, -0]);
    await expect(api.exportTensor({ sessionId, tensorId: id, format: 'f32', path })).rejects.toMatchObject({
      code: expect.any(String),
      message: expect.stringContaining(basename(path)),
    });
  });

  it('refuses what is no method, what the shell does not have, and wrong parameters', async () => {
    const { api } = join_();
    await expect(api.chooseFile({})).rejects.toMatchObject({ code: 'unknown-method' });
    await expect(api.close({ sessionId: -1 })).rejects.toMatchObject({ code: 'bad-params' });
    await expect(api.tensors({ sessionId: 1, start: 0, count: 1e9 })).rejects.toMatchObject({ code: 'bad-params' });
    await expect(api.tensors({ sessionId: 1, start: 0, count: 1 })).rejects.toMatchObject({
      code: 'no-such-session',
      details: { sessionId: 1 },
    });
  });

  it('ends its work when the page goes, and the page’s calls when it goes itself', async () => {
    const client = join_();
    const path = sparseFile('left.safetensors', 2 ** 31);
    const { sessionId } = await client.api.open({ kind: 'path', path });
    const scan = client.api.scanAll({ sessionId });
    const gone = vi.fn();
    client.onClose(gone);
    transport.server.close();
    await expect(scan).rejects.toMatchObject({ code: 'wire-closed' });
    expect(gone).toHaveBeenCalledTimes(1);
    await expect(client.api.tensors({ sessionId, start: 0, count: 1 })).rejects.toMatchObject({ code: 'wire-closed' });
    await expect(service?.api.tensors({ sessionId, start: 0, count: 1 })).rejects.toMatchObject({
      code: 'no-such-session',
    });
  });
});
