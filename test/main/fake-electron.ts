/**
 * A stand-in for the module `electron`, as far as src/main uses it, for tests under Node. Each part is typed by Electron's own
 * definitions and does what its documentation says; what only a real Electron can show (drawing, processes, the sandbox) is
 * not pretended.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { FakeMenu } from './fake-menu.ts';
import { FakeFrame } from './fake-port.ts';

export { FakeFrame, MessageChannelMain } from './fake-port.ts';

type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];

/** The contents of a window. */
export class FakeContents
  extends EventEmitter
  implements Pick<Electron.WebContents, 'getURL' | 'reload' | 'setWindowOpenHandler'>
{
  readonly mainFrame = new FakeFrame('');
  reloads = 0;
  openHandler: OpenHandler | undefined;

  getURL(): string {
    return this.mainFrame.url;
  }

  reload(): void {
    this.reloads += 1;
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
}

type Bounds = Electron.Rectangle;

/** A window; `focus()` makes it the focused one, `close()` closes it as a person would. */
export class BrowserWindow
  extends EventEmitter
  implements
    Pick<
      Electron.BrowserWindow,
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
      | 'isDestroyed'
    >
{
  static all: BrowserWindow[] = [];
  static #focused: BrowserWindow | null = null;
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly webContents = new FakeContents();
  visible = false;
  minimized = false;
  #maximized = false;
  #destroyed = false;

  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.#focused;
  }

  static getAllWindows(): BrowserWindow[] {
    return BrowserWindow.all;
  }

  static fromWebContents(contents: FakeContents): BrowserWindow | null {
    return BrowserWindow.all.find((window) => window.webContents === contents) ?? null;
  }

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    BrowserWindow.all.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  loadURL(url: string): Promise<void> {
    this.webContents.mainFrame.url = url;
    setImmediate(() => this.emit('ready-to-show'));
    return Promise.resolve();
  }

  show(): void {
    this.visible = true;
  }

  focus(): void {
    BrowserWindow.#focused = this;
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

  getNormalBounds(): Bounds {
    const { x = 10, y = 20, width = 0, height = 0 } = this.options;
    return { x, y, width, height };
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  close(): void {
    this.emit('close', {});
    this.destroy();
  }

  destroy(): void {
    this.#destroyed = true;
    BrowserWindow.all = BrowserWindow.all.filter((window) => window !== this);
    if (BrowserWindow.#focused === this) {
      BrowserWindow.#focused = null;
    }
    this.emit('closed');
    if (BrowserWindow.all.length === 0) {
      app.emit('window-all-closed');
    }
  }
}

class FakeApp
  extends EventEmitter
  implements
    Pick<
      Electron.App,
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
      | 'clearRecentDocuments'
    >
{
  isPackaged = false;
  lock = true;
  lockData: unknown;
  sandboxed = false;
  quits = 0;
  exits: (number | undefined)[] = [];
  appPath = '/app';
  userData = '/nowhere';
  recentDocuments: string[] = [];
  #ready: () => void = () => undefined;
  #whenReady = new Promise<void>((resolve) => {
    this.#ready = resolve;
  });

  /** Makes the application ready, as Electron does some time after its start. */
  async becomeReady(): Promise<void> {
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
    this.sandboxed = true;
  }

  quit(): void {
    this.quits += 1;
    this.emit('will-quit', { preventDefault: () => undefined });
  }

  exit(code?: number): void {
    this.exits.push(code);
  }

  getAppPath(): string {
    return this.appPath;
  }

  getPath(_name: Parameters<Electron.App['getPath']>[0]): string {
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
}

export const app = new FakeApp();

export const ipcMain = new EventEmitter();

/** The dialogs: `answers` holds what the next ones are answered with, `shown` what was shown. */
class FakeDialog {
  readonly shown: { readonly kind: string; readonly options: unknown }[] = [];
  open: Electron.OpenDialogReturnValue = { canceled: true, filePaths: [] };
  save: Electron.SaveDialogReturnValue = { canceled: true, filePath: '' };
  button = 0;

  async showOpenDialog(_window: unknown, options: Electron.OpenDialogOptions): Promise<Electron.OpenDialogReturnValue> {
    this.shown.push({ kind: 'open', options });
    return this.open;
  }

  async showSaveDialog(_window: unknown, options: Electron.SaveDialogOptions): Promise<Electron.SaveDialogReturnValue> {
    this.shown.push({ kind: 'save', options });
    return this.save;
  }

  async showMessageBox(_window: unknown, options: Electron.MessageBoxOptions): Promise<Electron.MessageBoxReturnValue> {
    this.shown.push({ kind: 'message', options });
    return { response: this.button, checkboxChecked: false };
  }

  showErrorBox(title: string, content: string): void {
    this.shown.push({ kind: 'error', options: { title, content } });
  }
}

export const dialog = new FakeDialog();

export const Menu = new FakeMenu();

type PageHandler = Parameters<Electron.Protocol['handle']>[1];

export const protocol = {
  schemes: [] as Electron.CustomScheme[],
  handlers: new Map<string, PageHandler>(),
  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    this.schemes.push(...schemes);
  },
  handle(scheme: string, handler: PageHandler): void {
    this.handlers.set(scheme, handler);
  },
};

class FakeSession extends EventEmitter {
  request: Parameters<Electron.Session['setPermissionRequestHandler']>[0] = null;
  check: Parameters<Electron.Session['setPermissionCheckHandler']>[0] = null;
  device: Parameters<Electron.Session['setDevicePermissionHandler']>[0] = null;
  filter: Electron.WebRequestFilter | undefined;
  before: ((details: { url: string }, answer: (response: Electron.CallbackResponse) => void) => void) | undefined;
  readonly webRequest = {
    onBeforeRequest: (filter: Electron.WebRequestFilter, listener: typeof this.before): void => {
      this.filter = filter;
      this.before = listener;
    },
  };

  setPermissionRequestHandler(handler: typeof this.request): void {
    this.request = handler;
  }

  setPermissionCheckHandler(handler: typeof this.check): void {
    this.check = handler;
  }

  setDevicePermissionHandler(handler: typeof this.device): void {
    this.device = handler;
  }
}

export const session = { defaultSession: new FakeSession() };

export const shell = {
  opened: [] as string[],
  openExternal(url: string): Promise<void> {
    this.opened.push(url);
    return Promise.resolve();
  },
};

export const screen = {
  getAllDisplays: (): Pick<Electron.Display, 'workArea'>[] => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};

export const nativeTheme = { shouldUseDarkColors: false };
