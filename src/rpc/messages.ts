import { decodeFrame } from './decode-frame.ts';
import { encodeFrame } from './encode-frame.ts';
import { badFrame } from './frame-format.ts';
import type { Message, Wire, WireError } from './wire.ts';

/** A wire seen as messages: each frame is decoded once, however many ends ({@link Wire} listeners) read it. */
export interface Messages {
  /**
   * Sends a message; does nothing once the wire is closed.
   *
   * @throws LoupeError `not-sendable` when the message holds something that cannot cross.
   */
  send(message: Message): void;
  onMessage(listener: (message: Message) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isDetail = (value: unknown): boolean => ['string', 'number', 'boolean', 'undefined'].includes(typeof value);

const isDetails = (value: unknown): value is WireError['details'] =>
  isRecord(value) && Object.values(value).every(isDetail);

const parseError = (value: unknown): WireError => {
  if (isRecord(value)) {
    const { code, message, details } = value;
    if (typeof code === 'string' && typeof message === 'string' && isDetails(details)) {
      return { code, message, details };
    }
  }
  throw badFrame('an error of unknown form');
};

/**
 * Checks the envelope of a decoded frame; parameters, results and payloads inside stay unknown.
 *
 * @throws LoupeError `bad-frame` when it is no message.
 */
export const parseMessage = (value: unknown): Message => {
  if (!isRecord(value)) {
    throw badFrame('not a message');
  }
  const { kind, id, method, name } = value;
  if (kind === 'event' && typeof name === 'string') {
    return { kind, name, payload: value.payload };
  }
  if (typeof id === 'number' && Number.isSafeInteger(id)) {
    if (kind === 'call' && typeof method === 'string') {
      return { kind, id, method, params: value.params };
    }
    if (kind === 'cancel') {
      return { kind, id };
    }
    if (kind === 'ok') {
      return { kind, id, result: value.result };
    }
    if (kind === 'err') {
      return { kind, id, error: parseError(value.error) };
    }
  }
  throw badFrame('a message of unknown kind');
};

const tryParse = (frame: Uint8Array): Message | undefined => {
  try {
    return parseMessage(decodeFrame(frame));
  } catch {
    return undefined;
  }
};

/**
 * Reads and writes a wire's frames as messages. A frame that cannot be read means that the other side cannot be trusted
 * or understood any more: it closes the wire, which rejects the calls under way and aborts the work for the other side.
 */
export const openMessages = (wire: Wire): Messages => {
  const listeners: ((message: Message) => void)[] = [];
  let over = false;
  wire.onMessage((frame) => {
    if (over) {
      return;
    }
    const message = tryParse(frame);
    if (message === undefined) {
      over = true;
      wire.close();
      return;
    }
    for (const listener of listeners) {
      listener(message);
    }
  });
  wire.onClose(() => {
    over = true;
  });
  return {
    send: (message) => {
      if (!over) {
        wire.send(encodeFrame(message));
      }
    },
    onMessage: (listener) => {
      listeners.push(listener);
    },
    onClose: (listener) => wire.onClose(listener),
    close: () => wire.close(),
  };
};
