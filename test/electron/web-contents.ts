import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type * as Electron from 'electron';
import type { OpenHandler, View } from './view.ts';

/** Counts up from 1. */
export type NextId = () => number;

/** A frame of a page. `received` is what was posted to it. */
export class StandInFrame implements Pick<Electron.WebFrameMain, 'url' | 'frameTreeNodeId'> {
  readonly frameTreeNodeId: number;
  readonly received: { readonly channel: string; readonly message: unknown; readonly ports: readonly MessagePort[] }[] =
    [];
  readonly parent: StandInFrame | null;
  view: View | undefined;
  url: string;

  constructor(id: number, url: string, parent: StandInFrame | null = null) {
    this.frameTreeNodeId = id;
    this.url = url;
    this.parent = parent;
  }

  postMessage(channel: string, message: unknown, ports: readonly MessagePort[] = []): void {
    this.received.push({ channel, message, ports });
    this.view?.deliver(channel, message, ports);
  }
}

/** The contents of a window. */
export class StandInContents
  extends EventEmitter
  implements Pick<Electron.WebContents, 'getURL' | 'reload' | 'setWindowOpenHandler'>
{
  readonly mainFrame: StandInFrame;
  view: View | undefined;
  reloads = 0;
  openHandler: OpenHandler | undefined;

  constructor(frameId: number) {
    super();
    this.mainFrame = new StandInFrame(frameId, '');
  }

  /** Shows itself with a view from now on. */
  showWith(view: View): void {
    this.view = view;
    this.mainFrame.view = view;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  reload(): void {
    this.reloads += 1;
    this.view?.reload();
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
}
