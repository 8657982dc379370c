import type { InspectorService } from '../../src/node/inspector-service.ts';
import type { InspectorPeer, OpenedCheckpoint, Params } from '../../src/shared/api.ts';
import { LoupeError } from '../../src/shared/errors.ts';

/** What a {@link fakeService} was asked and how it ended. */
export interface ServiceLog {
  readonly calls: [string, unknown][];
  disposed: number;
}

/** How the export of a fake service behaves. */
export interface FakeExport {
  readonly fileName?: string;
  readonly bytes?: number | undefined;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

const opened = (path: string | undefined): OpenedCheckpoint => ({
  sessionId: 0,
  title: 'fake',
  path,
  summary: {
    format: 'safetensors',
    files: [],
    shards: [],
    tensors: 0,
    parameters: 0,
    dataBytes: 0,
    dtypes: [],
    metadata: [],
    pickles: 0,
    valueTrees: 0,
    findings: { danger: 0, error: 0, warning: 0, note: 0 },
    verdict: 'clean',
    sentence: 'Clean',
  },
});

/** An inspector service that opens everything, reads nothing and writes down what it was asked. */
export const fakeService =
  (log: ServiceLog, export_?: FakeExport) =>
  (_peer: InspectorPeer): InspectorService => {
    const note = (name: string, params: unknown): void => {
      log.calls.push([name, params]);
    };
    const refuse = (name: string) => (): Promise<never> =>
      Promise.reject(new LoupeError('closed', `${name}: not here`));
    return {
      api: {
        open: async (params) => {
          note('open', params);
          return opened(params.kind === 'path' ? params.path : undefined);
        },
        close: async () => undefined,
        tensors: refuse('tensors'),
        findings: refuse('findings'),
        pickles: refuse('pickles'),
        pickleEvents: refuse('pickleEvents'),
        findPickleEvent: refuse('findPickleEvent'),
        valueChildren: refuse('valueChildren'),
        valueText: refuse('valueText'),
        stats: refuse('stats'),
        scanAll: refuse('scanAll'),
        histogram: refuse('histogram'),
        values: refuse('values'),
        exportTensor: async (params) => {
          note('exportTensor', params);
          return { name: 'x', path: params.path, bytes: 0 };
        },
        convert: async (params) => {
          note('convert', params);
          return { written: [], index: undefined, notes: [] };
        },
        exportMany: async (params) => {
          note('exportMany', params);
          return { written: [], manifest: `${params.folder}/manifest.json`, notes: [] };
        },
      },
      openExport: async (params: Params<'prepareDownload'>) => {
        note('openExport', params);
        if (export_ === undefined) {
          throw new LoupeError('unreadable-tensor', 'no');
        }
        return { fileName: export_.fileName ?? 'x.f32', bytes: export_.bytes, chunks: export_.chunks() };
      },
      dispose: () => {
        log.disposed += 1;
      },
    };
  };
