import { readFileSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { StandInWindow } from '../browser-window.ts';
import type { StandIn } from '../stand-in.ts';
import { refusable, type View } from '../view.ts';
import { fromChromium, toChromium } from './app-origin.ts';
import { grantPermissions, routePage } from './page-routes.ts';
import { decodeMessage, encodeMessage } from './port-message.ts';
import { bridgeWorld, HOST_BINDING, type HostMessage, PRELOAD_WORLD, preloadWorld } from './preload-world.ts';

/** A window's page in Chromium. */
export class PageView implements View {
  readonly page: Promise<Page>;
  readonly #window: StandInWindow;
  readonly #electron: StandIn;
  readonly #ports = new Map<number, MessagePort>();
  #session: CDPSession | undefined;
  /** The isolated world of the page shown now. */
  #world: number | undefined;
  #loading: string | undefined;
  #closed = false;
  #lastPort = 0;

  constructor(context: BrowserContext, window: StandInWindow, electron: StandIn) {
    this.#window = window;
    this.#electron = electron;
    this.page = this.#open(context);
    // Whoever loads the window is told; until then nobody waits.
    this.page.catch(() => undefined);
  }

  async load(url: string): Promise<void> {
    const page = await this.page;
    const target = toChromium(url, this.#electron.protocol.handlers.keys());
    this.#loading = url;
    this.#window.webContents.mainFrame.url = url;
    if (target !== url) {
      await grantPermissions(page.context(), new URL(target).origin, this.#electron);
    }
    try {
      await page.goto(target, { waitUntil: 'load' });
    } finally {
      this.#loading = undefined;
    }
    this.#window.emit('ready-to-show');
  }

  reload(): void {
    this.#run(this.page.then((page) => page.reload()));
  }

  close(): void {
    this.#closed = true;
    this.#closePorts();
    this.#run(this.page.then((page) => page.close()));
  }

  focus(): void {
    this.#run(this.page.then((page) => page.bringToFront()));
  }

  deliver(channel: string, message: unknown, ports: readonly MessagePort[]): void {
    const numbers = ports.map((port) => {
      this.#lastPort += 1;
      const number = this.#lastPort;
      this.#ports.set(number, port);
      port.on('message', (data: unknown) => {
        const { bytes } = encodeMessage(number, data);
        this.#call('electronPort', number, bytes);
      });
      return number;
    });
    this.#call('electronDeliver', channel, message, numbers);
  }

  /** Tells the preload's `webUtils` where files lie that are about to be dropped. */
  async knowPaths(paths: readonly { name: string; modified: number; path: string }[]): Promise<void> {
    await this.#evaluate('electronPaths', [paths]);
  }

  async #open(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    const { width = 800, height = 600, webPreferences } = this.#window.options;
    await page.setViewportSize({ width, height });
    await routePage(page, this.#window, this.#electron, () => this.#loading ?? this.#reloading(page));
    this.#listen(page);
    const session = await context.newCDPSession(page);
    this.#session = session;
    const { frameTree } = await session.send('Page.getFrameTree');
    session.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name === PRELOAD_WORLD && auxData?.frameId === frameTree.frame.id) {
        this.#world = id;
        // A document takes its ports with it.
        this.#closePorts();
      }
    });
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === HOST_BINDING) {
        this.#hear(JSON.parse(payload) as HostMessage, page);
      }
    });
    await session.send('Runtime.enable');
    await session.send('Page.enable');
    await session.send('Runtime.addBinding', { name: HOST_BINDING, executionContextName: PRELOAD_WORLD });
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${bridgeWorld})()` });
    if (webPreferences?.preload !== undefined) {
      const preload = `(require) => {${readFileSync(webPreferences.preload, 'utf8')}\n}`;
      const source = `(${preloadWorld})(${preload})`;
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: PRELOAD_WORLD });
    }
    return page;
  }

  /** Windows that the page opens, downloads it begins, and its end. */
  #listen(page: Page): void {
    page.on('popup', (popup) => {
      const handler = this.#window.webContents.openHandler;
      const answer = handler === undefined ? undefined : Reflect.apply(handler, undefined, [{ url: popup.url() }]);
      if (answer?.action !== 'deny') {
        throw new Error('this program opens no windows from a page');
      }
      this.#run(popup.close());
    });
    page.on('download', (download) => {
      const event = refusable(download.url());
      this.#electron.session.defaultSession.emit('will-download', event);
      if (event.defaultPrevented) {
        this.#run(download.cancel());
      }
    });
    page.on('close', () => {
      if (!this.#closed) {
        this.#window.close();
      }
    });
  }

  /** A navigation to where the page is already is a reload, which Electron reports no other way. */
  #reloading(page: Page): string | undefined {
    return page.url() === 'about:blank' ? undefined : fromChromium(page.url());
  }

  #hear(message: HostMessage, page: Page): void {
    const { webContents } = this.#window;
    if (message.kind === 'send') {
      webContents.mainFrame.url = fromChromium(page.url());
      const event = { sender: webContents, senderFrame: webContents.mainFrame, ports: [] };
      this.#electron.ipcMain.emit(message.channel, event, ...message.args);
    } else if (message.kind === 'port') {
      this.#ports.get(message.port)?.postMessage(decodeMessage(message));
    } else {
      this.#electron.Menu.press(message.accelerator);
    }
  }

  #closePorts(): void {
    for (const port of this.#ports.values()) {
      port.close();
    }
    this.#ports.clear();
  }

  #call(name: string, ...args: readonly unknown[]): void {
    this.#run(this.#evaluate(name, args));
  }

  async #evaluate(name: string, args: readonly unknown[]): Promise<void> {
    await this.#session?.send('Runtime.callFunctionOn', {
      functionDeclaration: `(...args) => globalThis.${name}(...args)`,
      arguments: args.map((value) => ({ value })),
      ...(this.#world === undefined ? {} : { executionContextId: this.#world }),
    });
  }

  /** Lets something happen in the page; that the page has gone meanwhile is no fault. */
  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#closed) {
        throw error;
      }
    });
  }
}
