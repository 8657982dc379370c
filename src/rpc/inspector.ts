import {
  type EventName,
  type Events,
  type InspectorApi,
  type InspectorPeer,
  METHODS,
  type MethodName,
  PAGE_METHODS,
  type PageApi,
} from '../shared/api.ts';
import { LoupeError } from '../shared/errors.ts';
import { connect } from './connect.ts';
import { openMessages } from './messages.ts';
import { type Handler, serve } from './serve.ts';
import type { Wire } from './wire.ts';

/** The window's end: every method of the service, typed, and its events. */
export interface InspectorClient {
  readonly api: InspectorApi;
  /** Adds a listener; returns the way to take it off again. */
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void;
  onClose(listener: () => void): void;
  close(): void;
}

/** "Cancelled" must mean that nothing is left behind, so these settle when the service has cleaned up. */
const WRITING: ReadonlySet<MethodName> = new Set<MethodName>(['exportTensor', 'exportMany', 'convert']);

/** Connects a window to its service, and answers the service's reads of dropped files with `page`. */
export const connectInspector = (wire: Wire, page: PageApi): InspectorClient => {
  const messages = openMessages(wire);
  const connection = connect(messages);
  serve(messages, PAGE_METHODS, { readPageFile: (params, signal) => page.readPageFile(params, signal) });
  const names = Object.keys(METHODS) as MethodName[];
  const api = Object.fromEntries(
    names.map((method) => [
      method,
      (params: unknown, signal?: AbortSignal) =>
        connection.call(method, params, signal, WRITING.has(method) ? 'when-answered' : 'at-once'),
    ]),
  );
  return {
    api: api as unknown as InspectorApi,
    on: (event, listener) => connection.on(event, listener as (payload: unknown) => void),
    onClose: connection.onClose,
    close: connection.close,
  };
};

/**
 * Joins a wire to a service made by `make`, which is given the way to reach the window. Methods that `make` leaves out are
 * answered with `unknown-method`.
 */
export const serveInspector = (wire: Wire, make: (peer: InspectorPeer) => Partial<InspectorApi>): void => {
  const messages = openMessages(wire);
  const connection = connect(messages);
  const peer: InspectorPeer = {
    page: {
      readPageFile: async (params, signal) => {
        const bytes = await connection.call('readPageFile', params, signal);
        if (!(bytes instanceof Uint8Array)) {
          throw new LoupeError('bad-frame', 'the page answered something other than bytes');
        }
        return bytes;
      },
    },
    emit: (event, payload) => served.emit(event, payload),
  };
  const served = serve(messages, METHODS, make(peer) as Readonly<Record<string, Handler>>);
};
