import type { Page } from 'playwright-core';
import { decodeFrame } from '../../../src/rpc/decode-frame.ts';
import { encodeFrame } from '../../../src/rpc/encode-frame.ts';
import { parseMessage } from '../../../src/rpc/messages.ts';
import type { MethodName } from '../../../src/shared/api.ts';

/** What becomes of the calls of one method. */
export type CallFate = 'pass' | 'hold' | 'fail';

/** Stands between a page and its service, and holds back or refuses calls. */
export interface CallGate {
  /** Decides over calls of a method from now on; calls that were held are sent when it becomes `pass`. */
  set(method: MethodName, fate: CallFate): void;
  /** Calls of a method that came by. */
  count(method: MethodName): number;
}

const FAILURE = { code: 'internal', message: 'refused for a test', details: {} };

/** Puts a gate into the page's connection. Call it before the page is opened: `page.goto` again connects anew. */
export const gateCalls = async (page: Page): Promise<CallGate> => {
  const fates = new Map<string, CallFate>();
  const counts = new Map<string, number>();
  const held: { readonly method: string; readonly send: () => void }[] = [];
  await page.routeWebSocket(/.*/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => {
      const message = typeof frame === 'string' ? undefined : parseMessage(decodeFrame(new Uint8Array(frame)));
      const send = (): void => server.send(frame);
      if (message?.kind !== 'call') {
        send();
        return;
      }
      const { method, id } = message;
      counts.set(method, (counts.get(method) ?? 0) + 1);
      const fate = fates.get(method) ?? 'pass';
      if (fate === 'hold') {
        held.push({ method, send });
      } else if (fate === 'fail') {
        socket.send(Buffer.from(encodeFrame({ kind: 'err', id, error: FAILURE })));
      } else {
        send();
      }
    });
    server.onMessage((frame) => socket.send(frame));
  });
  return {
    set: (method, fate) => {
      fates.set(method, fate);
      for (const call of fate === 'pass' ? held.splice(0) : []) {
        if (call.method === method) {
          call.send();
        } else {
          held.push(call);
        }
      }
    },
    count: (method) => counts.get(method) ?? 0,
  };
};
