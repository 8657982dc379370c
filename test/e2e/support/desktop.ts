import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { startStandIn } from '../../electron/chromium/start-stand-in.ts';
import type { DesktopApp, DesktopOptions } from '../../electron/desktop-app.ts';
import { electronRuntime, startElectron } from '../../electron-real/start-electron.ts';
import { chromiumPath, launchBrowser } from './browser.ts';

/** What the tests of a desktop suite get. */
export interface Desktop {
  /** Starts the program; it ends with the test. */
  start(options?: DesktopOptions): Promise<DesktopApp>;
  /** Starts it and waits until its page is connected. */
  startWithPage(options?: DesktopOptions): Promise<{ readonly app: DesktopApp; readonly page: Page }>;
  /** A folder of the suite's own. */
  readonly folder: string;
}

/** Waits until there are so many windows, and answers their pages, each of them connected. */
export const pagesOf = async (app: DesktopApp, count: number): Promise<readonly Page[]> => {
  const deadline = Date.now() + 20_000;
  while (app.pages().length !== count) {
    if (Date.now() > deadline) {
      throw new Error(`there are ${app.pages().length} windows, not ${count}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const pages = app.pages();
  await Promise.all(pages.map((page) => page.locator('.app[aria-busy="false"]').waitFor()));
  return pages;
};

/**
 * A suite over the desktop program: in Electron itself when `npm run test:electron` has found one, else under the stand-in in
 * Chromium.
 */
export const describeOnDesktop = (name: string, body: (desktop: Desktop) => void): void => {
  const runtime = electronRuntime();
  const shell = runtime === undefined ? 'the stand-in for Electron' : 'Electron';
  describe.skipIf(runtime === undefined && chromiumPath === undefined)(`${name}, under ${shell}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'loupe-desktop-'));
    const running: DesktopApp[] = [];
    let browser: Browser;

    beforeAll(async () => {
      if (runtime === undefined) {
        browser = await launchBrowser();
      }
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((app) => app.stop()));
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const start = async (options?: DesktopOptions): Promise<DesktopApp> => {
      const app = runtime === undefined ? await startStandIn(browser, options) : await startElectron(runtime, options);
      running.push(app);
      return app;
    };
    body({
      folder,
      start,
      startWithPage: async (options) => {
        const app = await start(options);
        const [page] = await pagesOf(app, 1);
        if (page === undefined) {
          throw new Error('there is no window');
        }
        return { app, page };
      },
    });
  });
};
