import { basename } from 'node:path';
import { type Checkpoint, inspectSource } from '../core/checkpoint.ts';
import { distributionFromData } from '../core/distribution/new-distribution.ts';
import { FileChangedError } from '../core/errors.ts';
import { EXPORT_EXTENSIONS, encodeTensor } from '../core/writing/encode-tensor.ts';
import { safeFileName } from '../core/writing/file-names.ts';
import type { OpenedCheckpoint, Page, Params, Results } from '../shared/api.ts';
import type { Histogram, TensorRow, TensorStats, ValueWindow, WrittenFile } from '../shared/checkpoint-types.ts';
import { CancelledError, isLoupeError, LoupeError } from '../shared/errors.ts';
import type { Finding } from '../shared/findings.ts';
import type { PickleEventRow, PickleOverview, ValueRow, ValueText } from '../shared/pickle-types.ts';
import { inspectPath, parsingOn } from './open-checkpoint.ts';
import { pageSource } from './page-source.ts';
import type { ScannedTensor } from './scan/scan-tasks.ts';
import { convertJob } from './service/convert-job.ts';
import { encodeOptions, exportSessionTensor } from './service/export-job.ts';
import { exportManyJob } from './service/export-many-job.ts';
import { fittingRows } from './service/fitting-rows.ts';
import { DEFAULT_BINS, scanSession } from './service/scan-job.ts';
import { scanOneTensor } from './service/scan-one.ts';
import type { InspectorService, InspectorServiceOptions, OpenedExport } from './service/service-types.ts';
import { Session } from './service/session.ts';
import { readValueWindow } from './service/value-window.ts';

export type { InspectorService, InspectorServiceOptions, OpenedExport, ServiceApi } from './service/service-types.ts';

class Service {
  readonly #options: InspectorServiceOptions;
  readonly #sessions = new Map<number, Session>();
  #lastId = 0;
  #disposed = false;

  constructor(options: InspectorServiceOptions) {
    this.#options = options;
  }

  async open(what: Params<'open'>, signal?: AbortSignal): Promise<OpenedCheckpoint> {
    const readOptions = parsingOn(this.#options.engine);
    const { samplePath, peer, guard } = this.#options;
    let checkpoint: Checkpoint;
    if (what.kind === 'page-file') {
      checkpoint = await inspectSource(pageSource(peer.page, what), readOptions);
    } else if (what.kind === 'sample') {
      checkpoint = await inspectPath(samplePath, readOptions);
    } else {
      checkpoint = await inspectPath(what.path, readOptions, guard);
    }
    if (signal?.aborted || this.#disposed) {
      // Nobody would ever close it.
      checkpoint.close();
      throw new CancelledError('open');
    }
    this.#lastId += 1;
    const { summary } = checkpoint;
    const title = what.kind === 'page-file' ? what.name : basename(what.kind === 'sample' ? samplePath : what.path);
    const path = what.kind === 'page-file' ? undefined : summary.files[0]?.path;
    const session = new Session(this.#lastId, checkpoint, title, path);
    this.#sessions.set(session.id, session);
    return { sessionId: session.id, title, path: session.path, summary };
  }

  async close({ sessionId }: Params<'close'>): Promise<undefined> {
    this.#session(sessionId).close();
    this.#sessions.delete(sessionId);
    return undefined;
  }

  async tensors({ sessionId, start, count }: Params<'tensors'>): Promise<Page<TensorRow>> {
    const { table } = this.#session(sessionId).checkpoint;
    return { total: table.length, rows: fittingRows((from, most) => table.rows(from, most), start, count) };
  }

  async findings({ sessionId, start, count }: Params<'findings'>): Promise<Page<Finding>> {
    const { findings } = this.#session(sessionId).checkpoint;
    return {
      total: findings.length,
      rows: fittingRows((from, most) => findings.slice(from, from + most), start, count),
    };
  }

  async pickles({ sessionId }: Params<'pickles'>): Promise<PickleOverview> {
    return (await this.#session(sessionId).pickles).overview();
  }

  async pickleEvents({ sessionId, ...page }: Params<'pickleEvents'>): Promise<Page<PickleEventRow>> {
    return (await this.#session(sessionId).pickles).events(page);
  }

  async findPickleEvent({ sessionId, ...what }: Params<'findPickleEvent'>): Promise<Results['findPickleEvent']> {
    return (await this.#session(sessionId).pickles).find(what);
  }

  async valueChildren({ sessionId, ...page }: Params<'valueChildren'>): Promise<Page<ValueRow>> {
    return (await this.#session(sessionId).pickles).children(page);
  }

  async valueText({ sessionId, ...value }: Params<'valueText'>): Promise<ValueText> {
    return (await this.#session(sessionId).pickles).text(value);
  }

  async stats({ sessionId, tensorId, bins }: Params<'stats'>, signal?: AbortSignal): Promise<TensorStats> {
    const session = this.#session(sessionId);
    const known = session.stats(tensorId);
    if (known !== undefined && (bins === undefined || bins === DEFAULT_BINS)) {
      return known;
    }
    const scanned = await this.#scanOne(session, tensorId, bins ?? DEFAULT_BINS, signal);
    return scanned.stats;
  }

  async histogram(
    { sessionId, tensorId, bins, low, high }: Params<'histogram'>,
    signal?: AbortSignal,
  ): Promise<Histogram> {
    const session = this.#session(sessionId);
    const data = session.distribution(tensorId) ?? (await this.#scanOne(session, tensorId, DEFAULT_BINS, signal)).data;
    if (data === undefined) {
      throw new LoupeError('internal', 'the scan returned no distribution');
    }
    const histogram = distributionFromData(data).histogram(bins, low, high);
    if (histogram === undefined) {
      throw new LoupeError('no-finite-values', 'the tensor has no finite values to draw');
    }
    return histogram;
  }

  async scanAll({ sessionId }: Params<'scanAll'>, signal?: AbortSignal) {
    const session = this.#session(sessionId);
    const { engine, peer } = this.#options;
    return scanSession(engine, session, peer, this.#until(session, signal), this.#options);
  }

  async values({ sessionId, tensorId, slice, limit }: Params<'values'>): Promise<ValueWindow> {
    const session = this.#session(sessionId);
    const replaced = await session.replaced();
    if (replaced !== undefined) {
      this.#noteChanged(session, replaced);
    }
    return this.#watched(session, () => readValueWindow(session.checkpoint.tensor(tensorId), slice, limit));
  }

  async exportTensor(params: Params<'exportTensor'>, signal?: AbortSignal): Promise<WrittenFile> {
    const session = this.#session(params.sessionId);
    const { engine, peer } = this.#options;
    return this.#watched(session, () =>
      exportSessionTensor(engine, session, peer, params, this.#until(session, signal)),
    );
  }

  async convert(params: Params<'convert'>, signal?: AbortSignal): Promise<Results['convert']> {
    const session = this.#session(params.sessionId);
    return this.#watched(session, () =>
      convertJob({
        checkpoint: session.checkpoint,
        options: params,
        signal: this.#until(session, signal),
        onProgress: this.#tellWriting(session),
      }),
    );
  }

  async exportMany(params: Params<'exportMany'>, signal?: AbortSignal): Promise<Results['exportMany']> {
    const session = this.#session(params.sessionId);
    return this.#watched(session, () =>
      exportManyJob({
        checkpoint: session.checkpoint,
        options: params,
        signal: this.#until(session, signal),
        onProgress: this.#tellWriting(session),
      }),
    );
  }

  async openExport(params: Params<'prepareDownload'>): Promise<OpenedExport> {
    const tensor = this.#session(params.sessionId).checkpoint.tensor(params.tensorId);
    const { bytes, chunks } = encodeTensor(tensor, encodeOptions(params));
    const fileName = `${safeFileName(tensor.name)}.${EXPORT_EXTENSIONS[params.format]}`;
    return { fileName, bytes, chunks: chunks() };
  }

  dispose(): void {
    this.#disposed = true;
    for (const session of this.#sessions.values()) {
      session.close();
    }
    this.#sessions.clear();
  }

  #session(id: number): Session {
    const session = this.#sessions.get(id);
    if (session === undefined) {
      throw new LoupeError('no-such-session', `checkpoint ${id} is not open`, { sessionId: id });
    }
    return session;
  }

  /** Aborts when the caller cancels or the checkpoint is closed. */
  #until(session: Session, signal: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any(signal === undefined ? [session.closed] : [signal, session.closed]);
  }

  #tellWriting({ id: sessionId }: Session): (bytesDone: number, bytesTotal: number) => void {
    return (bytesDone, bytesTotal) => this.#options.peer.emit('writeProgress', { sessionId, bytesDone, bytesTotal });
  }

  async #scanOne(
    session: Session,
    tensorId: number,
    bins: number,
    signal: AbortSignal | undefined,
  ): Promise<ScannedTensor> {
    const scanned = await this.#watched(session, () =>
      scanOneTensor(this.#options.engine, session, tensorId, bins, this.#until(session, signal)),
    );
    if (bins === DEFAULT_BINS && session.keep(scanned)) {
      this.#options.peer.emit('findingsChanged', session.findingsEvent());
    }
    return scanned;
  }

  /** Runs work that reads the file; a change of the file becomes a finding besides failing the call. */
  async #watched<T>(session: Session, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (fault) {
      if (fault instanceof FileChangedError || (isLoupeError(fault) && fault.code === 'file-changed')) {
        this.#noteChanged(session, fault.message);
      }
      throw fault;
    }
  }

  #noteChanged(session: Session, message: string): void {
    if (session.noteChanged(message)) {
      this.#options.peer.emit('findingsChanged', session.findingsEvent());
    }
  }
}

/** Makes the service behind one window. */
export const createInspectorService = (options: InspectorServiceOptions): InspectorService => {
  const service = new Service(options);
  return {
    api: {
      open: (params, signal) => service.open(params, signal),
      close: (params) => service.close(params),
      tensors: (params) => service.tensors(params),
      findings: (params) => service.findings(params),
      pickles: (params) => service.pickles(params),
      pickleEvents: (params) => service.pickleEvents(params),
      findPickleEvent: (params) => service.findPickleEvent(params),
      valueChildren: (params) => service.valueChildren(params),
      valueText: (params) => service.valueText(params),
      stats: (params, signal) => service.stats(params, signal),
      scanAll: (params, signal) => service.scanAll(params, signal),
      histogram: (params, signal) => service.histogram(params, signal),
      values: (params) => service.values(params),
      exportTensor: (params, signal) => service.exportTensor(params, signal),
      convert: (params, signal) => service.convert(params, signal),
      exportMany: (params, signal) => service.exportMany(params, signal),
    },
    openExport: (params) => service.openExport(params),
    dispose: () => service.dispose(),
  };
};
