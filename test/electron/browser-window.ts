import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import type { StandInApp } from './app.ts';
import type { Readiness } from './readiness.ts';
import { type OpenView, refusable } from './view.ts';
import { StandInContents } from './web-contents.ts';

type Members =
  | 'loadURL'
  | 'show'
  | 'focus'
  | 'maximize'
  | 'isMaximized'
  | 'isMinimized'
  | 'restore'
  | 'getNormalBounds'
  | 'close'
  | 'destroy'
  | 'isDestroyed';

/** All windows there are, and which one is focused. */
export interface WindowList {
  all: StandInWindow[];
  focused: StandInWindow | null;
}

/** A window; `focus()` makes it the focused one, `close()` closes it as a person would. */
export class StandInWindow extends EventEmitter implements Pick<Electron.BrowserWindow, Members> {
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents: StandInContents;
  readonly #list: WindowList;
  visible = false;
  minimized = false;
  #maximized = false;
  #destroyed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions, list: WindowList, frameId: number) {
    super();
    this.options = options;
    this.#list = list;
    this.webContents = new StandInContents(frameId);
    list.all.push(this);
  }

  async loadURL(url: string): Promise<void> {
    const { view } = this.webContents;
    if (view === undefined) {
      this.webContents.mainFrame.url = url;
      setImmediate(() => this.emit('ready-to-show'));
    } else {
      await view.load(url);
    }
  }

  show(): void {
    this.visible = true;
  }

  focus(): void {
    this.#list.focused = this;
    this.webContents.view?.focus();
    this.emit('focus');
  }

  maximize(): void {
    this.#maximized = true;
  }

  isMaximized(): boolean {
    return this.#maximized;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  restore(): void {
    this.minimized = false;
  }

  getNormalBounds(): Electron.Rectangle {
    const { x = 10, y = 20, width = 0, height = 0 } = this.options;
    return { x, y, width, height };
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  close(): void {
    const event = refusable();
    this.emit('close', event);
    if (!event.defaultPrevented) {
      this.destroy();
    }
  }

  destroy(): void {
    if (this.#destroyed) {
      return;
    }
    this.#destroyed = true;
    this.#list.all = this.#list.all.filter((window) => window !== this);
    if (this.#list.focused === this) {
      this.#list.focused = null;
    }
    this.webContents.view?.close();
    this.emit('closed');
  }
}

/** What windows are made with. */
interface WindowParts {
  readonly app: StandInApp;
  readonly list: WindowList;
  readonly readiness: Readiness;
  readonly nextFrameId: () => number;
  readonly openView: OpenView | undefined;
}

/** The class `BrowserWindow` of one stand-in. */
export const browserWindowClass = ({ app, list, readiness, nextFrameId, openView }: WindowParts) =>
  class BrowserWindow extends StandInWindow {
    static getFocusedWindow(): StandInWindow | null {
      return list.focused;
    }

    static getAllWindows(): readonly StandInWindow[] {
      return list.all;
    }

    static fromWebContents(contents: StandInContents): StandInWindow | null {
      return list.all.find((window) => window.webContents === contents) ?? null;
    }

    constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
      readiness.after('Cannot create BrowserWindow');
      super(options, list, nextFrameId());
      if (openView !== undefined) {
        this.webContents.showWith(openView(this));
      }
      this.once('closed', () => {
        if (list.all.length === 0) {
          app.allWindowsClosed();
        }
      });
      app.emit('web-contents-created', {}, this.webContents);
    }
  };
