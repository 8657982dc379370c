import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { vi } from 'vitest';
import type { DesktopApp, DesktopOptions, ShownDialog } from '../desktop-app.ts';
import { dropPaths } from '../drop-paths.ts';
import { createStandIn, type StandIn } from '../stand-in.ts';
import { PageView } from './page-view.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Imports the built main process, which thereby starts, as Electron would have started it. */
const importBuilt = async (electron: StandIn, files: readonly string[], settings: string): Promise<void> => {
  vi.resetModules();
  vi.doMock('electron', () => electron);
  const { argv } = process;
  const before = process.env.LOUPE_SETTINGS_DIR;
  process.env.LOUPE_SETTINGS_DIR = settings;
  process.argv = ['/usr/bin/electron', root, ...files];
  try {
    await import(join(root, 'out/main/index.js'));
    await electron.app.becomeReady();
  } finally {
    process.argv = argv;
    process.env.LOUPE_SETTINGS_DIR = before;
  }
};

/** Starts the built program under the stand-in, with its windows as pages of a browser that runs. */
export const startStandIn = async (browser: Browser, options: DesktopOptions = {}): Promise<DesktopApp> => {
  const settings = options.settings ?? mkdtempSync(join(tmpdir(), 'loupe-stand-in-'));
  const context = await browser.newContext({ acceptDownloads: true });
  // A popup is refused before it exists: nothing that Chromium already asks for on its behalf goes out.
  await context.route('**/*', (route) => route.abort('blockedbyclient'));
  const opened: PageView[] = [];
  const views = new Map<Page, PageView>();
  const electron: StandIn = createStandIn((window) => {
    const view = new PageView(context, window, electron);
    opened.push(view);
    view.page.then(
      (page) => views.set(page, view),
      () => undefined,
    );
    return view;
  });
  electron.app.appPath = root;
  electron.app.userData = settings;
  await importBuilt(electron, options.files ?? [], settings);

  return {
    shell: 'stand-in',
    pages: () => context.pages().filter((page) => views.has(page)),
    clickMenu: async (...labels) => electron.Menu.click(...labels),
    answerOpen: async (path) => {
      electron.dialog.open = { canceled: path === undefined, filePaths: path === undefined ? [] : [path] };
    },
    answerSave: async (path) => {
      electron.dialog.save = { canceled: path === undefined, filePath: path ?? '' };
    },
    shownDialogs: async () => electron.dialog.shown as readonly ShownDialog[],
    drop: async (page, paths) => {
      const known = paths.map((path) => ({
        name: basename(path),
        modified: Math.floor(statSync(path).mtimeMs),
        path,
      }));
      await views.get(page)?.knowPaths(known);
      await dropPaths(page, paths);
    },
    openFile: async (path) => {
      electron.app.emit('open-file', { preventDefault: () => undefined }, path);
    },
    startAgain: async (paths) => {
      electron.app.emit('second-instance', {}, ['/usr/bin/electron', root, ...paths], process.cwd(), { paths });
    },
    clipboardText: async (page) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(page.url()).origin });
      return page.evaluate(() => navigator.clipboard.readText());
    },
    foreignWindow: async (url) => {
      const window = new electron.BrowserWindow({ webPreferences: { preload: join(root, 'out/preload/index.cjs') } });
      const view = opened.at(-1);
      await window.loadURL(url);
      if (view === undefined) {
        throw new Error('the window has no page');
      }
      return view.page;
    },
    openedLinks: async () => electron.shell.opened,
    ended: electron.app.ended,
    stop: async () => {
      electron.app.quit();
      await electron.app.ended;
      await context.close();
      if (options.settings === undefined) {
        rmSync(settings, { recursive: true, force: true });
      }
    },
  };
};
