import { type ZodType, z } from 'zod';
import { CancelledError, isLoupeError, LoupeError } from '../shared/errors.ts';
import type { Messages } from './messages.ts';
import type { WireError } from './wire.ts';

/** Answers one method. `signal` aborts when the caller cancels or the wire closes. */
export type Handler = (params: never, signal: AbortSignal) => Promise<unknown>;

/** The answering end of a wire. */
export interface Served {
  /** Sends an event to the other side; does nothing once the wire is closed. */
  emit(name: string, payload: unknown): void;
}

const wireError = (error: unknown): WireError =>
  isLoupeError(error)
    ? { code: error.code, message: error.message, details: error.details }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error), details: {} };

/**
 * Answers calls on a wire. `parsers` is the allow-list: a method that is not its own property is refused with
 * `unknown-method`, parameters its parser refuses with `bad-params`. Closing the wire aborts every call under way.
 */
export const serve = (
  messages: Messages,
  parsers: Readonly<Record<string, ZodType>>,
  handlers: Readonly<Record<string, Handler>>,
): Served => {
  const running = new Map<number, AbortController>();

  const answer = async (method: string, params: unknown, signal: AbortSignal): Promise<unknown> => {
    const parser = Object.hasOwn(parsers, method) ? parsers[method] : undefined;
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (parser === undefined || handler === undefined) {
      throw new LoupeError('unknown-method', `there is no method "${method}" here`);
    }
    const parsed = parser.safeParse(params);
    if (!parsed.success) {
      throw new LoupeError('bad-params', `wrong parameters for ${method}: ${z.prettifyError(parsed.error)}`);
    }
    return handler(parsed.data as never, signal);
  };

  const call = async (id: number, method: string, params: unknown, controller: AbortController): Promise<void> => {
    try {
      const result = await answer(method, params, controller.signal);
      messages.send({ kind: 'ok', id, result });
    } catch (error) {
      // Work that was called off fails in many ways; to whoever called it off they are one.
      messages.send({
        kind: 'err',
        id,
        error: wireError(controller.signal.aborted ? new CancelledError(method) : error),
      });
    } finally {
      running.delete(id);
    }
  };

  messages.onMessage((message) => {
    if (message.kind === 'cancel') {
      running.get(message.id)?.abort();
    } else if (message.kind === 'call') {
      if (running.has(message.id)) {
        // Two calls of one id could not be told apart: the other side is broken.
        messages.close();
        return;
      }
      const controller = new AbortController();
      running.set(message.id, controller);
      void call(message.id, message.method, message.params, controller);
    }
  });
  messages.onClose(() => {
    for (const controller of running.values()) {
      controller.abort();
    }
  });

  return { emit: (name, payload) => messages.send({ kind: 'event', name, payload }) };
};
