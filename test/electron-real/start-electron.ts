import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import type { DesktopApp, DesktopOptions, ShownDialog } from '../electron/desktop-app.ts';
import { dropPaths } from '../electron/drop-paths.ts';

/** An Electron to test with, and the built program in a form that it can start. */
export interface ElectronRuntime {
  readonly executable: string;
  readonly appFolder: string;
}

/** The one that `npm run test:electron` has found; undefined in every other run. */
export const electronRuntime = (): ElectronRuntime | undefined => {
  const { LOUPE_TEST_ELECTRON: executable, LOUPE_TEST_ELECTRON_APP: appFolder } = process.env;
  return executable === undefined || appFolder === undefined ? undefined : { executable, appFolder };
};

/** How long it may take until it can be driven. */
const START_MILLISECONDS = 20_000;
/** How long the program may take to end when it is told to. */
const END_MILLISECONDS = 20_000;

/** As root Chromium refuses to start with a sandbox. */
export const switches: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Puts answers of the test in place of the system's dialogs and browser, and writes down what was asked. */
const takeOverDialogs = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ dialog, shell }) => {
    const test = { shown: [] as unknown[], links: [] as string[], open: [] as string[], save: '' };
    Object.assign(globalThis, { loupeTest: test });
    Object.assign(dialog, {
      showOpenDialog: async (_window: unknown, options: unknown) => {
        test.shown.push({ kind: 'open', options });
        return { canceled: test.open.length === 0, filePaths: test.open };
      },
      showSaveDialog: async (_window: unknown, options: unknown) => {
        test.shown.push({ kind: 'save', options });
        return { canceled: test.save === '', filePath: test.save };
      },
    });
    Object.assign(shell, {
      openExternal: async (url: string) => {
        test.links.push(url);
      },
    });
  });

interface TestState {
  readonly shown: readonly ShownDialog[];
  readonly links: readonly string[];
}

const testState = (app: ElectronApplication): Promise<TestState> =>
  app.evaluate(() => Reflect.get(globalThis, 'loupeTest'));

const setTestState = (app: ElectronApplication, values: Readonly<Record<string, unknown>>): Promise<void> =>
  app.evaluate((_electron, given) => void Object.assign(Reflect.get(globalThis, 'loupeTest'), given), values);

const clickMenu = (app: ElectronApplication, labels: readonly string[]): Promise<void> =>
  app.evaluate(({ Menu, BrowserWindow }, path) => {
    let items = Menu.getApplicationMenu()?.items ?? [];
    let item: Electron.MenuItem | undefined;
    for (const label of path) {
      item = items.find((candidate) => candidate.label === label || candidate.role === label);
      if (item?.enabled !== true) {
        throw new Error(`there is no menu line "${label}", or it is disabled`);
      }
      items = item.submenu?.items ?? [];
    }
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    item?.click({}, window, window?.webContents);
  }, labels);

type LaunchOptions = Parameters<typeof _electron.launch>[0];

const launchOnce = async (options: LaunchOptions): Promise<ElectronApplication> => {
  const app = await _electron.launch({ ...options, timeout: START_MILLISECONDS });
  const timer = setTimeout(() => app.process().kill('SIGKILL'), START_MILLISECONDS);
  try {
    await takeOverDialogs(app);
    return app;
  } finally {
    clearTimeout(timer);
  }
};

/** Launches Electron; a second time when the debugger's connection, which only a test makes, did not come about. */
const launch = async (options: LaunchOptions): Promise<ElectronApplication> => {
  try {
    return await launchOnce(options);
  } catch (error) {
    process.stdout.write(`Electron is started a second time: ${String(error)}\n`);
    return launchOnce(options);
  }
};

/** Starts the built program in Electron, driven by Playwright. */
export const startElectron = async (
  { executable, appFolder }: ElectronRuntime,
  options: DesktopOptions = {},
): Promise<DesktopApp> => {
  const settings = options.settings ?? mkdtempSync(join(tmpdir(), 'loupe-electron-'));
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = process.env;
  const environment = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const env = { ...environment, XDG_CONFIG_HOME: settings, LOUPE_SETTINGS_DIR: settings } as Record<string, string>;
  const files = options.files ?? [];
  const app = await launch({ executablePath: executable, args: [...switches, appFolder, ...files], env });
  const ended = new Promise<number | null>((resolve) => {
    app.process().once('exit', (code) => resolve(code));
  });

  return {
    shell: 'electron',
    pages: () => app.windows(),
    clickMenu: (...labels) => clickMenu(app, labels),
    answerOpen: (path) => setTestState(app, { open: path === undefined ? [] : [path] }),
    answerSave: (path) => setTestState(app, { save: path ?? '' }),
    shownDialogs: async () => (await testState(app)).shown,
    drop: dropPaths,
    openFile: (path) =>
      app.evaluate(({ app: running }, given) => {
        running.emit('open-file', { preventDefault: () => undefined }, given);
      }, path),
    startAgain: (paths) =>
      new Promise((resolve, reject) => {
        const second = spawn(executable, [...switches, appFolder, ...paths], { env, stdio: 'ignore' });
        second.once('error', reject);
        second.once('exit', () => resolve());
      }),
    clipboardText: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    foreignWindow: async (url) => {
      const preload = join(appFolder, 'out', 'preload', 'index.cjs');
      const [page] = await Promise.all([
        app.waitForEvent('window'),
        app.evaluate(
          ({ BrowserWindow }, given) => {
            const window = new BrowserWindow({ webPreferences: { preload: given.preload, sandbox: true } });
            return window.loadURL(given.url);
          },
          { url, preload },
        ),
      ]);
      return page;
    },
    openedLinks: async () => (await testState(app)).links,
    ended,
    stop: async () => {
      const timer = setTimeout(() => app.process().kill('SIGKILL'), END_MILLISECONDS);
      await app.close();
      const code = await ended;
      clearTimeout(timer);
      if (options.settings === undefined) {
        rmSync(settings, { recursive: true, force: true });
      }
      if (code !== 0) {
        throw new Error(`Electron ended with ${code}, or did not end at all`);
      }
    },
  };
};
