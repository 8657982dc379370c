import { BrowserWindow, type IpcMainEvent, nativeTheme, type WebPreferences } from 'electron';
import { serveInspector } from '../rpc/inspector.ts';
import type { Wire } from '../rpc/wire.ts';
import type { EventName, Events, InspectorApi, InspectorPeer } from '../shared/api.ts';
import { grantPort, ownMainFrame } from './port-grant.ts';
import { MINIMUM_SIZE, type PlacedBounds, type WindowState } from './window-state.ts';

/** What a window is made of. */
export interface LoupeWindowOptions {
  readonly page: string;
  readonly preload: string;
  readonly bounds: PlacedBounds;
  readonly maximized: boolean;
  readonly devTools: boolean;
  /** Makes the methods of a page that has connected, and ends them when it is gone. */
  readonly join: (
    window: BrowserWindow,
    peer: InspectorPeer,
    launchPaths: readonly string[],
  ) => { readonly api: Partial<InspectorApi>; readonly dispose: () => void };
}

const webPreferences = (preload: string, devTools: boolean): WebPreferences => ({
  preload,
  devTools,
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  navigateOnDragDrop: false,
  // The spelling checker would fetch dictionaries from the network.
  spellcheck: false,
});

/** One window with its page, and its service while the page is connected. */
export class LoupeWindow {
  readonly browser: BrowserWindow;
  readonly #options: LoupeWindowOptions;
  #peer: InspectorPeer | undefined;
  #wire: Wire | undefined;
  /** Files and commands that wait for the page to connect. */
  #paths: string[];
  #waiting: ((peer: InspectorPeer) => void)[] = [];

  constructor(options: LoupeWindowOptions, paths: readonly string[]) {
    this.#options = options;
    this.#paths = [...paths];
    this.browser = new BrowserWindow({
      ...options.bounds,
      minWidth: MINIMUM_SIZE.width,
      minHeight: MINIMUM_SIZE.height,
      title: 'Tensor Loupe',
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
      webPreferences: webPreferences(options.preload, options.devTools),
    });
    this.browser.once('ready-to-show', () => {
      if (options.maximized) {
        this.browser.maximize();
      }
      this.browser.show();
    });
    this.browser.once('closed', () => this.#wire?.close());
  }

  /** Loads the page. Rejects with Electron's error when it cannot be loaded. */
  load(): Promise<void> {
    return this.browser.loadURL(this.#options.page);
  }

  /** How it lies on the desktop now, whole-screen states aside. */
  state(): WindowState {
    return { bounds: this.browser.getNormalBounds(), maximized: this.browser.isMaximized() };
  }

  /** Opens files in it, at once or as soon as its page is there. */
  openPaths(paths: readonly string[]): void {
    if (this.#peer === undefined) {
      this.#paths.push(...paths);
    } else if (paths.length > 0) {
      this.#peer.emit('openPaths', { paths });
    }
  }

  /** Sends an event to its page, at once or as soon as it is there. */
  emit<E extends EventName>(event: E, payload: Events[E]): void {
    if (this.#peer === undefined) {
      this.#waiting.push((peer) => peer.emit(event, payload));
    } else {
      this.#peer.emit(event, payload);
    }
  }

  /** Brings it before the person's eyes. */
  focus(): void {
    if (this.browser.isMinimized()) {
      this.browser.restore();
    }
    this.browser.show();
    this.browser.focus();
  }

  /** Answers a page's request for its port; true when the page was this window's. All other requests are left alone. */
  connect(event: IpcMainEvent): boolean {
    const frame = ownMainFrame(event, this.browser.webContents, this.#options.page);
    if (frame === undefined) {
      return false;
    }
    grantPort(frame, (wire) =>
      serveInspector(wire, (peer) => {
        const { api, dispose } = this.#options.join(this.browser, peer, this.#paths.splice(0));
        wire.onClose(() => {
          dispose();
          // A page that was loaded anew may have connected meanwhile.
          if (this.#peer === peer) {
            this.#peer = undefined;
          }
        });
        this.#peer = peer;
        this.#wire = wire;
        return api;
      }),
    );
    const waiting = this.#waiting.splice(0);
    const peer = this.#peer;
    if (peer !== undefined) {
      for (const tell of waiting) {
        tell(peer);
      }
    }
    return true;
  }
}
