/**
 * A two-way channel of binary messages, in order and whole: a message port, a WebSocket, or a pair in memory.
 * Frames are exact-size, so a structured clone never carries a larger backing buffer along.
 */
export interface Wire {
  send(frame: Uint8Array): void;
  /** Adds a listener; all listeners see every frame. */
  onMessage(listener: (frame: Uint8Array) => void): void;
  /** Adds a listener, called once when either side has closed the wire. */
  onClose(listener: () => void): void;
  close(): void;
}

/** What travels in a frame. A caller's ids are its own; `ok` and `err` answer the `call` of the other side with that id. */
export type Message =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'ok'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'err'; readonly id: number; readonly error: WireError }
  | { readonly kind: 'event'; readonly name: string; readonly payload: unknown };

/** An error as it crosses a wire. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Bookkeeping common to every wire: listeners, and closing exactly once. */
export class WireListeners {
  readonly #message: ((frame: Uint8Array) => void)[] = [];
  readonly #close: (() => void)[] = [];
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  onMessage(listener: (frame: Uint8Array) => void): void {
    this.#message.push(listener);
  }

  onClose(listener: () => void): void {
    this.#close.push(listener);
  }

  message(frame: Uint8Array): void {
    if (!this.#closed) {
      for (const listener of this.#message) {
        listener(frame);
      }
    }
  }

  /** Tells the close listeners, the first time only. */
  closeOnce(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    for (const listener of this.#close) {
      listener();
    }
  }
}
