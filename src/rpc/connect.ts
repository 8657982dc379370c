import { CancelledError, LoupeError } from '../shared/errors.ts';
import type { Messages } from './messages.ts';
import type { WireError } from './wire.ts';

/** An error the other side answered with, rebuilt here with its code and details. */
export class RemoteError extends LoupeError {
  override readonly name = 'RemoteError';
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * When a cancelled call settles: `at-once`, or `when-answered`, that is when the other side has cleaned up, which it says
 * (or it had finished before, and that is the answer).
 */
export type CancelSettles = 'at-once' | 'when-answered';

/** The calling end of a wire. */
export interface Connection {
  /**
   * Calls a method of the other side.
   *
   * @param settles `at-once` when left out.
   * @throws RemoteError with the other side's code; CancelledError when `signal` aborts; LoupeError `wire-closed`, and
   * `not-sendable` when the parameters cannot cross.
   */
  call(method: string, params: unknown, signal?: AbortSignal, settles?: CancelSettles): Promise<unknown>;
  /** Adds a listener for events of one name; returns the way to take it off again. */
  on(event: string, listener: (payload: unknown) => void): () => void;
  onClose(listener: () => void): void;
  close(): void;
}

const wireClosed = (): LoupeError => new LoupeError('wire-closed', 'the connection to the service was closed');

const rebuild = ({ code, message, details }: WireError): Error =>
  code === 'cancelled' ? new CancelledError() : new RemoteError(code, message, details);

/** Makes the calling end of a wire. Calls of the other side are ignored: they are for `serve`. */
export const connect = (messages: Messages): Connection => {
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  let lastId = 0;
  let closed = false;

  const take = (id: number): Pending | undefined => {
    const call = pending.get(id);
    pending.delete(id);
    return call;
  };

  messages.onMessage((message) => {
    if (message.kind === 'ok') {
      take(message.id)?.resolve(message.result);
    } else if (message.kind === 'err') {
      take(message.id)?.reject(rebuild(message.error));
    } else if (message.kind === 'event') {
      for (const listener of listeners.get(message.name) ?? []) {
        listener(message.payload);
      }
    }
  });
  messages.onClose(() => {
    closed = true;
    const calls = [...pending.values()];
    pending.clear();
    for (const call of calls) {
      call.reject(wireClosed());
    }
  });

  const start = (
    method: string,
    params: unknown,
    signal: AbortSignal | undefined,
    settles: CancelSettles,
  ): Promise<unknown> => {
    lastId += 1;
    const id = lastId;
    // First: what cannot be sent must leave nothing behind.
    messages.send({ kind: 'call', id, method, params });
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        messages.send({ kind: 'cancel', id });
        if (settles === 'at-once') {
          take(id)?.reject(new CancelledError(method));
        }
      };
      const release = (): void => signal?.removeEventListener('abort', onAbort);
      pending.set(id, {
        resolve: (value) => {
          release();
          resolve(value);
        },
        reject: (error) => {
          release();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  };

  return {
    call: async (method, params, signal, settles = 'at-once') => {
      if (signal?.aborted) {
        throw new CancelledError(method);
      }
      if (closed) {
        throw wireClosed();
      }
      return start(method, params, signal, settles);
    },
    on: (event, listener) => {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      return () => {
        set.delete(listener);
      };
    },
    onClose: (listener) => messages.onClose(listener),
    close: () => messages.close(),
  };
};
