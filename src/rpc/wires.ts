import { type Wire, WireListeners } from './wire.ts';

/** Two wires joined in memory; frames are copied and delivered in a later microtask, as a real one would. */
export const memoryWirePair = (): readonly [Wire, Wire] => {
  const ends = [new WireListeners(), new WireListeners()] as const;
  const close = (): void => {
    for (const end of ends) {
      end.closeOnce();
    }
  };
  const wire = (own: WireListeners, other: WireListeners): Wire => ({
    send: (frame) => {
      const copy = frame.slice();
      queueMicrotask(() => other.message(copy));
    },
    onMessage: (listener) => own.onMessage(listener),
    onClose: (listener) => own.onClose(listener),
    close,
  });
  return [wire(ends[0], ends[1]), wire(ends[1], ends[0])];
};

/** The part of a browser's, Node's or Electron's message port that a wire needs. */
export interface PortLike {
  postMessage(message: unknown): void;
  close(): void;
}

/**
 * A wire over a message port. The caller forwards the port's messages to `receive` and its closing to `closed`, since the
 * three kinds of port name their events differently. A `null` message announces closing: browsers have no event for it.
 */
export const portWire = (port: PortLike): { readonly wire: Wire; receive(data: unknown): void; closed(): void } => {
  const listeners = new WireListeners();
  return {
    wire: {
      send: (frame) => {
        if (!listeners.closed) {
          port.postMessage(frame);
        }
      },
      onMessage: (listener) => listeners.onMessage(listener),
      onClose: (listener) => listeners.onClose(listener),
      close: () => {
        if (!listeners.closed) {
          port.postMessage(null);
          listeners.closeOnce();
          port.close();
        }
      },
    },
    receive: (data) => {
      if (data instanceof Uint8Array) {
        listeners.message(data);
      } else if (data === null) {
        listeners.closeOnce();
        port.close();
      }
    },
    closed: () => listeners.closeOnce(),
  };
};

/** The part of a WebSocket (the browser's, or that of the `ws` package) that a wire needs. */
export interface SocketLike {
  binaryType: string;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
}

/** A wire over an open WebSocket. Text messages are ignored. */
export const socketWire = (socket: SocketLike): Wire => {
  const listeners = new WireListeners();
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) => {
    if (data instanceof ArrayBuffer) {
      listeners.message(new Uint8Array(data));
    }
  });
  socket.addEventListener('close', () => listeners.closeOnce());
  return {
    send: (frame) => {
      if (!listeners.closed) {
        socket.send(new Uint8Array(frame));
      }
    },
    onMessage: (listener) => listeners.onMessage(listener),
    onClose: (listener) => listeners.onClose(listener),
    close: () => socket.close(),
  };
};
