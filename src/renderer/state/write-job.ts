import type { InspectorClient } from '../../rpc/inspector.ts';
import type { Events, Params, Results } from '../../shared/api.ts';
import { describeFailure, type Failure, isCancelled } from './failure.ts';
import type { SessionStore } from './session.ts';

/** What to write: many tensors into a folder, or the checkpoint anew as safetensors. */
export type WriteRequest =
  | { readonly kind: 'export'; readonly params: Omit<Params<'exportMany'>, 'sessionId'> }
  | { readonly kind: 'convert'; readonly params: Omit<Params<'convert'>, 'sessionId'> };

/** What was written. */
export interface WriteResult {
  readonly written: Results['convert']['written'];
  /** Absolute path of the index or manifest beside the files. */
  readonly listing: string | undefined;
  readonly notes: readonly string[];
}

export type WriteProgress = Omit<Events['writeProgress'], 'sessionId'>;

/** Where an export or a conversion stands. */
export type WriteState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly request: WriteRequest; readonly progress: WriteProgress | undefined }
  | { readonly state: 'done'; readonly request: WriteRequest; readonly result: WriteResult }
  | { readonly state: 'cancelled'; readonly request: WriteRequest }
  | { readonly state: 'failed'; readonly request: WriteRequest; readonly failure: Failure };

const send = async (
  api: InspectorClient['api'],
  sessionId: number,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<WriteResult> => {
  if (request.kind === 'export') {
    const { written, manifest, notes } = await api.exportMany({ sessionId, ...request.params }, signal);
    return { written, listing: manifest, notes };
  }
  const { written, index, notes } = await api.convert({ sessionId, ...request.params }, signal);
  return { written, listing: index, notes };
};

/** Writes, and keeps the session's `write` true to it. Never rejects. */
export const runWrite = async (
  api: InspectorClient['api'],
  store: SessionStore,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<void> => {
  store.setState({ write: { state: 'running', request, progress: undefined } });
  try {
    const result = await send(api, store.getState().sessionId, request, signal);
    store.setState({ write: { state: 'done', request, result } });
  } catch (error) {
    store.setState({
      write: isCancelled(error)
        ? { state: 'cancelled', request }
        : { state: 'failed', request, failure: describeFailure(error) },
    });
  }
};

/** Notes how far a running write is. */
export const storeWriteProgress = (store: SessionStore, progress: WriteProgress): void => {
  const { write } = store.getState();
  if (write.state === 'running') {
    store.setState({ write: { ...write, progress } });
  }
};
