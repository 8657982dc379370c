import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import type { WindowList } from './browser-window.ts';
import type { Readiness } from './readiness.ts';
import { refusable } from './view.ts';

type Members =
  | 'isPackaged'
  | 'whenReady'
  | 'requestSingleInstanceLock'
  | 'enableSandbox'
  | 'quit'
  | 'exit'
  | 'getAppPath'
  | 'getPath'
  | 'getVersion'
  | 'addRecentDocument'
  | 'clearRecentDocuments';

/** More turns than any chain of promises that is settled already takes. */
const MICROTASKS = 100;

/** The application. What it was told is in its public fields. */
export class StandInApp extends EventEmitter implements Pick<Electron.App, Members> {
  isPackaged = false;
  /** What a request for the single instance's lock is answered with. */
  lock = true;
  lockData: unknown;
  sandboxed = false;
  quits = 0;
  exits: (number | undefined)[] = [];
  appPath = '/app';
  userData = '/nowhere';
  recentDocuments: string[] = [];
  readonly switches = new Set<string>();
  readonly commandLine: Pick<Electron.CommandLine, 'hasSwitch'> = { hasSwitch: (name) => this.switches.has(name) };
  /** Resolves with the exit code when the application has ended. */
  readonly ended: Promise<number>;
  readonly #readiness: Readiness & { readonly become: () => void };
  readonly #windows: WindowList;
  readonly #whenReady: Promise<void>;
  #ready: () => void = () => undefined;
  #end: (code: number) => void = () => undefined;
  #quitting = false;

  constructor(readiness: Readiness & { readonly become: () => void }, windows: WindowList) {
    super();
    this.#readiness = readiness;
    this.#windows = windows;
    this.#whenReady = new Promise((resolve) => {
      this.#ready = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Makes the application ready, as Electron does some time after its start. */
  async becomeReady(): Promise<void> {
    this.#readiness.become();
    this.#ready();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }

  whenReady(): Promise<void> {
    return this.#whenReady;
  }

  requestSingleInstanceLock(data?: Record<string, unknown>): boolean {
    this.lockData = data;
    return this.lock;
  }

  enableSandbox(): void {
    this.#readiness.before('app.enableSandbox()');
    this.sandboxed = true;
  }

  /** Closes every window, each of which may refuse; then `will-quit`, whose refusal keeps the application alive. */
  quit(): void {
    this.quits += 1;
    if (this.#quitting) {
      return;
    }
    this.#quitting = true;
    this.emit('before-quit', refusable());
    for (const window of [...this.#windows.all]) {
      window.close();
    }
    if (this.#windows.all.length > 0) {
      this.#quitting = false;
    } else {
      void this.#askToQuit();
    }
  }

  exit(code?: number): void {
    this.exits.push(code);
    this.#leave(code ?? 0);
  }

  getAppPath(): string {
    return this.appPath;
  }

  getPath(name: Parameters<Electron.App['getPath']>[0]): string {
    if (name !== 'userData') {
      throw new Error(`this program asks for no other folder than userData, not ${name}`);
    }
    return this.userData;
  }

  getVersion(): string {
    return '9.9.9';
  }

  addRecentDocument(path: string): void {
    this.recentDocuments.push(path);
  }

  clearRecentDocuments(): void {
    this.recentDocuments = [];
  }

  /** The last window has closed: told, unless that happened because the application quits. */
  allWindowsClosed(): void {
    if (!this.#quitting) {
      this.emit('window-all-closed');
    }
  }

  async #askToQuit(): Promise<void> {
    const event = refusable();
    this.emit('will-quit', event);
    // Electron looks at the answer when the listeners' microtasks have run. Until then a further `quit` does nothing.
    for (let turn = 0; turn < MICROTASKS; turn += 1) {
      await undefined;
    }
    if (event.defaultPrevented) {
      this.#quitting = false;
    } else {
      this.#leave(0);
    }
  }

  #leave(code: number): void {
    for (const window of [...this.#windows.all]) {
      window.destroy();
    }
    this.emit('quit', {}, code);
    this.#end(code);
  }
}
