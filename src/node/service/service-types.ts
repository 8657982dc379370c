import type { InspectorApi, InspectorPeer, Params } from '../../shared/api.ts';
import type { ScanCache } from '../cache/scan-cache.ts';
import type { PathGuard } from '../model/path-guard.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';

/** What the service behind one window needs. One engine serves all windows. */
export interface InspectorServiceOptions {
  readonly engine: ScanEngine;
  /** Where scans are kept, so that opening the same files again is instant; nowhere when left out. */
  readonly cache?: ScanCache;
  /** The checkpoint that ships, for "try the sample". */
  readonly samplePath: string;
  /** The window this service works for. */
  readonly peer: InspectorPeer;
  /** Judges every file of an opened path; all may be opened unless told. The sample is ours. */
  readonly guard?: PathGuard;
}

/** The methods a service answers; the shells add their own. */
export type ServiceApi = Pick<
  InspectorApi,
  | 'open'
  | 'close'
  | 'tensors'
  | 'findings'
  | 'pickles'
  | 'pickleEvents'
  | 'findPickleEvent'
  | 'valueChildren'
  | 'valueText'
  | 'stats'
  | 'scanAll'
  | 'histogram'
  | 'values'
  | 'exportTensor'
  | 'convert'
  | 'exportMany'
>;

/** A tensor as a download. */
export interface OpenedExport {
  readonly fileName: string;
  /** Bytes to come; undefined when only the end tells. */
  readonly bytes: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What stands behind one window: its open checkpoints and the work done for it. One engine serves all windows. */
export interface InspectorService {
  readonly api: ServiceApi;
  /** @throws LoupeError `no-such-session`, `unsupported-export`; UnreadableTensorError; SliceError. */
  openExport(params: Params<'prepareDownload'>): Promise<OpenedExport>;
  /** Closes every checkpoint and cancels all work. */
  dispose(): void;
}
