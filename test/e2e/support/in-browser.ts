import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { electronRuntime } from '../../electron-real/start-electron.ts';
import { chromiumPath, type LoupePage, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { type Server, startServer } from './start-server.ts';

/** What the tests of a file share: a browser, a server and a folder. */
export interface BrowserSession {
  /** A folder for files of the tests, inside what the server may read; made before the tests and removed after them. */
  readonly folder: string;
  /** A fresh page on the shared server. It is closed after the test, which fails when the page complained. */
  readonly open: (options?: PageOptions) => Promise<LoupePage>;
  /** The same on a server for this test alone, which was started with these files and may be stopped by the test. */
  readonly openServing: (...files: readonly string[]) => Promise<LoupePage & { readonly server: Server }>;
}

/**
 * `describe` for tests of the browser version: registers what sets up and clears away. Skipped where there is no browser, and
 * when it is Electron that is tested.
 */
export const describeInBrowser = (name: string, tests: (session: BrowserSession) => void): void => {
  describe.skipIf(chromiumPath === undefined || electronRuntime() !== undefined)(name, () => {
    const folder = join(tmpdir(), `loupe-e2e-${randomUUID()}`);
    const opened: LoupePage[] = [];
    const ownServers: Server[] = [];
    let server: Server;
    let browser: Browser;

    const openAt = async (url: string, options?: PageOptions): Promise<LoupePage> => {
      const loupe = await openPage(browser, url, options);
      opened.push(loupe);
      return loupe;
    };

    beforeAll(async () => {
      mkdirSync(folder);
      [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    });
    afterEach(async ({ task }) => {
      const pages = opened.splice(0);
      if (task.result?.state === 'fail') {
        for (const { page } of pages) {
          process.stderr.write(`what ${task.name} saw last:\n${await page.locator('body').ariaSnapshot()}\n`);
        }
      }
      await Promise.all(pages.map(({ context }) => context.close()));
      await Promise.all(ownServers.splice(0).map((own) => own.stop()));
      expect(pages.flatMap(({ complaints }) => complaints)).toEqual([]);
    });
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    tests({
      folder,
      open: (options) => openAt(server.url, options),
      openServing: async (...files) => {
        const own = await startServer(...files);
        ownServers.push(own);
        return { ...(await openAt(own.url)), server: own };
      },
    });
  });
};
