import type { Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { electronRuntime } from '../../electron-real/start-electron.ts';
import { complaintsOf, openFolder, openPath } from './browser.ts';
import { type Desktop, describeOnDesktop } from './desktop.ts';
import { type BrowserSession, describeInBrowser } from './in-browser.ts';

/** A page of the program, in whichever shell. */
export interface ShellPage {
  readonly page: Page;
  /** Opens a file by its path the way this shell has: the page's dialog, or the system's. */
  readonly openPath: (path: string) => Promise<void>;
  readonly openFolder: (path: string) => Promise<void>;
  /** The text on the clipboard. */
  readonly clipboardText: () => Promise<string>;
}

/** What the tests of a file share, in whichever shell. Pages are closed after the test, which fails if one complained. */
export interface ShellSession {
  readonly folder: string;
  readonly open: () => Promise<ShellPage>;
  /** The same with files given on the command line. */
  readonly openServing: (...files: readonly string[]) => Promise<ShellPage>;
}

const overBrowser = ({ folder, open, openServing }: BrowserSession): ShellSession => {
  const shellPage = ({ page, context }: Awaited<ReturnType<typeof open>>): ShellPage => ({
    page,
    openPath: (path) => openPath(page, path),
    openFolder: (path) => openFolder(page, path),
    clipboardText: async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      return page.evaluate(() => navigator.clipboard.readText());
    },
  });
  return {
    folder,
    open: async () => shellPage(await open()),
    openServing: async (...files) => shellPage(await openServing(...files)),
  };
};

const overDesktop = ({ folder, startWithPage }: Desktop): ShellSession => {
  const complaints: (readonly string[])[] = [];
  afterEach(() => expect(complaints.splice(0).flat()).toEqual([]));
  const openServing = async (...files: readonly string[]): Promise<ShellPage> => {
    const { app, page } = await startWithPage({ files });
    complaints.push(await complaintsOf(page));
    await page.emulateMedia({ colorScheme: 'light' });
    return {
      page,
      openPath: async (path) => {
        await app.answerOpen(path);
        await page.keyboard.press('Control+o');
      },
      openFolder: async (path) => {
        await app.answerOpen(path);
        await page.keyboard.press('Control+Shift+o');
      },
      clipboardText: () => app.clipboardText(page),
    };
  };
  return { folder, open: () => openServing(), openServing };
};

/**
 * `describe` for tests that hold in every shell. `npm test` runs them over the browser version and, with `standIn`, over the
 * desktop program under the stand-in for Electron too: wherever the shell could make a difference. `npm run test:electron` runs
 * them all in Electron.
 */
export const describeInShells = (
  name: string,
  { standIn }: { readonly standIn: boolean },
  tests: (session: ShellSession) => void,
): void => {
  const inElectron = electronRuntime() !== undefined;
  if (!inElectron) {
    describeInBrowser(name, (session) => tests(overBrowser(session)));
  }
  if (inElectron || standIn) {
    describeOnDesktop(name, (desktop) => tests(overDesktop(desktop)));
  }
};
