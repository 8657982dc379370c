import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type * as Electron from 'electron';

/** A message port of the main process: queues until it is started, as Electron's does. */
class FakePort extends EventEmitter implements Pick<Electron.MessagePortMain, 'close' | 'postMessage' | 'start'> {
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

/** The half of a channel that went to a page: a plain port, as the page sees it. */
export class MessageChannelMain {
  readonly port1: FakePort;
  readonly port2: MessagePort;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new FakePort(port1);
    this.port2 = port2;
  }
}

/** A frame of a page. `received` is what was posted to it. */
export class FakeFrame implements Pick<Electron.WebFrameMain, 'url' | 'frameTreeNodeId'> {
  static #last = 0;
  readonly frameTreeNodeId: number;
  readonly received: { readonly channel: string; readonly message: unknown; readonly ports: readonly MessagePort[] }[] =
    [];
  url: string;
  readonly parent: FakeFrame | null;

  constructor(url: string, parent: FakeFrame | null = null) {
    FakeFrame.#last += 1;
    this.frameTreeNodeId = FakeFrame.#last;
    this.url = url;
    this.parent = parent;
  }

  postMessage(channel: string, message: unknown, ports: readonly MessagePort[] = []): void {
    this.received.push({ channel, message, ports });
  }
}
