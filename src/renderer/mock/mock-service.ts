import type { InspectorClient } from '../../rpc/inspector.ts';
import type { EventName, Events, FolderListing, InspectorApi } from '../../shared/api.ts';
import { LoupeError, throwIfAborted } from '../../shared/errors.ts';
import type { ConnectService } from '../connect-service.ts';
import { type MockModel, makeMockModel } from './mock-model.ts';
import { mockHistogram, mockStats, mockValues } from './mock-numbers.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const folder = (path: string): FolderListing => ({
  path,
  parent: path === '/models' ? undefined : '/models',
  entries: [
    { name: 'gemma', path: '/models/gemma', folder: true, bytes: 0, modified: 1_760_000_000_000 },
    {
      name: 'model.safetensors',
      path: `${path}/model.safetensors`,
      folder: false,
      bytes: 536_000_000,
      modified: 1_770_000_000_000,
    },
    { name: 'notes.txt', path: `${path}/notes.txt`, folder: false, bytes: 812, modified: 1_750_000_000_000 },
  ],
});

/** The service's stand-in: one synthetic checkpoint, answered from memory, for development and tests. */
export const mockConnect =
  (layers: number, scanMs = 8): ConnectService =>
  async () => {
    const model: MockModel = makeMockModel(layers);
    const listeners = new Map<EventName, Set<(payload: never) => void>>();
    let lastSession = 0;

    const emit = <E extends EventName>(event: E, payload: Events[E]): void => {
      for (const listener of listeners.get(event) ?? []) {
        listener(payload as never);
      }
    };
    const tensorAt = (id: number) => {
      const row = model.rows[id];
      const kind = model.kinds[id];
      if (row === undefined || kind === undefined) {
        throw new LoupeError('not-found', `there is no tensor ${id}`);
      }
      if (!row.readable) {
        throw new LoupeError('truncated', `tensor "${row.name}" cannot be read: ${row.problem ?? ''}`);
      }
      return { row, kind };
    };

    const scanAll: InspectorApi['scanAll'] = async ({ sessionId }, signal) => {
      const readable = model.rows.filter((row) => row.readable);
      const bytesTotal = readable.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
      let bytesDone = 0;
      const step = Math.max(1, Math.ceil(readable.length / 400));
      for (let at = 0; at < readable.length; at += step) {
        await pause(scanMs);
        throwIfAborted(signal, 'the scan');
        const batch = readable.slice(at, at + step);
        bytesDone += batch.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
        emit('tensorStats', {
          sessionId,
          results: batch.map((row) => ({ tensorId: row.id, stats: mockStats(row, model.kinds[row.id] ?? 'normal') })),
        });
        emit('scanProgress', {
          sessionId,
          bytesDone,
          bytesTotal,
          bytesPerSecond: 3.1e9,
          tensorsDone: Math.min(at + step, readable.length),
          tensorsTotal: model.rows.length,
        });
      }
      return { scanned: readable.length, skipped: model.rows.length - readable.length };
    };

    const write = async (sessionId: number, signal: AbortSignal | undefined): Promise<void> => {
      for (let step = 1; step <= 10; step += 1) {
        await pause(scanMs);
        throwIfAborted(signal, 'writing');
        emit('writeProgress', { sessionId, bytesDone: step * 1e8, bytesTotal: 1e9 });
      }
    };

    const api: InspectorApi = {
      open: async (source) => {
        await pause(30);
        if (source.kind === 'path' && source.path.endsWith('.txt')) {
          throw new LoupeError('unrecognised', `"${source.path}" is no checkpoint: it is plain text`);
        }
        lastSession += 1;
        const path = source.kind === 'path' ? source.path : undefined;
        const title = source.kind === 'page-file' ? source.name : (path?.split('/').at(-1) ?? 'sample.safetensors');
        return { sessionId: lastSession, title, path, summary: model.summary };
      },
      close: async () => undefined,
      tensors: async ({ start, count }) => ({ total: model.rows.length, rows: model.rows.slice(start, start + count) }),
      findings: async ({ start, count }) => ({
        total: model.findings.length,
        rows: model.findings.slice(start, start + count),
      }),
      // The synthetic checkpoint is a safetensors file, which has no pickles.
      pickles: async () => ({
        pickles: [],
        counts: { dangerous: 0, unknown: 0, allowed: 0 },
        unlisted: 0,
        trees: [],
      }),
      pickleEvents: async () => ({ total: 0, rows: [] }),
      findPickleEvent: async () => undefined,
      valueChildren: async () => ({ total: 0, rows: [] }),
      valueText: async () => ({ text: '', length: 0 }),
      stats: async ({ tensorId, bins }) => {
        await pause(60);
        const { row, kind } = tensorAt(tensorId);
        return mockStats(row, kind, bins);
      },
      scanAll,
      histogram: async ({ tensorId, bins, low, high }) => {
        await pause(60);
        const { row, kind } = tensorAt(tensorId);
        return mockHistogram(row, kind, bins, low, high);
      },
      values: async ({ tensorId, slice, limit }) => {
        await pause(40);
        const { row, kind } = tensorAt(tensorId);
        return mockValues(row, kind, slice, limit);
      },
      exportTensor: async ({ path }) => ({ name: path, path, bytes: 0 }),
      convert: async ({ sessionId, output }, signal) => {
        await write(sessionId, signal);
        return { written: [{ name: output, path: output, bytes: 1e9, tensors: 8 }], index: undefined, notes: [] };
      },
      exportMany: async ({ sessionId, folder: into }, signal) => {
        await write(sessionId, signal);
        const written = ['a', 'b'].map((name) => ({ name, path: `${into}/${name}.npy`, bytes: 5e8 }));
        return { written, manifest: `${into}/manifest.json`, notes: ['two names were shortened'] };
      },
      prepareDownload: async ({ tensorId }) => ({ url: '#', fileName: `${tensorAt(tensorId).row.name}.f32` }),
      shell: async () => ({ kind: 'browser', version: '0.0.0', platform: 'linux', launchPaths: [] }),
      recents: async () => [{ path: '/models/gemma/model.safetensors', openedAt: Date.now() - 3_600_000 }],
      forgetRecents: async () => undefined,
      listFolder: async ({ path }) => folder(path ?? '/models'),
      chooseFile: async () => undefined,
      chooseFolder: async () => undefined,
      chooseSavePath: async () => undefined,
    };

    const client: InspectorClient = {
      api,
      on: (event, listener) => {
        const set = listeners.get(event) ?? new Set();
        set.add(listener);
        listeners.set(event, set);
        return () => set.delete(listener);
      },
      onClose: () => undefined,
      close: () => undefined,
    };
    return client;
  };
