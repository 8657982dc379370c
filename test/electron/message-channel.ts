import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type * as Electron from 'electron';

/** A message port of the main process: queues until it is started, as Electron's does. */
class StandInPort extends EventEmitter implements Pick<Electron.MessagePortMain, 'close' | 'postMessage' | 'start'> {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('close', () => this.emit('close'));
  }

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0) {
      throw new Error('this program transfers nothing to or from the main process (electron#34905)');
    }
    this.#port.postMessage(message);
  }

  start(): void {
    this.#port.on('message', (data: unknown) => this.emit('message', { data }));
  }

  close(): void {
    this.#port.close();
  }
}

/** A channel with one port for the main process; the other is a plain port, as the page sees it. */
export class MessageChannelMain {
  readonly port1: StandInPort;
  readonly port2: MessagePort;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new StandInPort(port1);
    this.port2 = port2;
  }
}
