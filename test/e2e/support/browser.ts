import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/** The browser to use, or undefined: then the tests are skipped. */
export const chromiumPath = findChromium();

/** Starts the browser without a window. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }), args: ['--no-sandbox'] });

/** A page of the program, and everything it complained about. */
export interface LoupePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors, warnings and policy violations of the page, in words. Should stay empty. */
  readonly complaints: readonly string[];
}

/** How to open a page: 1280 × 800 in the light theme unless told. */
export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** What to do to the page before the program loads. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Everything a page complains about from its next load on: errors, warnings, violations of its policy. */
export const complaintsOf = async (page: Page): Promise<readonly string[]> => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(`${message.type()}: ${message.text()}`);
    }
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  return complaints;
};

/** Opens the page in a fresh context and waits until it is connected. */
export const openPage = async (browser: Browser, url: string, options: PageOptions = {}): Promise<LoupePage> => {
  const { colorScheme = 'light', width = 1280, height = 800 } = options;
  const context = await browser.newContext({ colorScheme, viewport: { width, height }, acceptDownloads: true });
  const page = await context.newPage();
  const complaints = await complaintsOf(page);
  await options.prepare?.(page);
  await page.goto(url);
  await page.locator('.app[aria-busy="false"]').waitFor();
  return { page, context, complaints };
};

/** Types a path into the dialog of the server's folders, once it lists one and so would take the focus no more. */
export const fillPath = async (page: Page, path: string): Promise<void> => {
  await page.getByRole('listbox', { name: 'Files and folders' }).waitFor();
  await page.getByRole('textbox', { name: /^Path of a / }).fill(path);
};

/** Opens a file by its path, as a person would; waits for nothing but the dialog to close. */
export const openPath = async (page: Page, path: string): Promise<void> => {
  await page.keyboard.press('Control+o');
  await fillPath(page, path);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** Opens a model's folder by its path, as a person would. */
export const openFolder = async (page: Page, path: string): Promise<void> => {
  await page.keyboard.press('Control+Shift+o');
  await fillPath(page, path);
  await page.getByRole('button', { name: 'Open This Folder' }).click();
};

/** Makes the bottom panel half as high as the window; to be given as `prepare`, or called before a reload. */
export const heightenBottomPanel = (page: Page): Promise<unknown> =>
  page.addInitScript(() => localStorage.setItem('loupe-layout-rows', JSON.stringify({ upper: 50, bottom: 50 })));

/** Opens the sample and waits until it is scanned. */
export const openSample = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await scanned(page);
};

/** Drops files made inside the page onto it, as a person would. */
export const dropFiles = (
  page: Page,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<void> =>
  page.evaluate(
    (dropped) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of dropped) {
        transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
      }
      for (const type of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
      }
    },
    files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })),
  );

/** Waits until the scan of the active tab has ended. */
export const scanned = (page: Page): Promise<void> => page.getByText(/^Scanned \d/).waitFor();

/** The row of a tensor in the table, by the whole name on hover. */
export const tableRow = (page: Page, name: string) => page.locator(`.table-row:has(bdi[title="${name}"])`);

/** Names of the rows in view, top to bottom. */
export const shownNames = (page: Page): Promise<readonly string[]> =>
  page.locator('.table-row').evaluateAll((rows) =>
    rows
      .map((row) => ({
        top: row.getBoundingClientRect().top,
        name: row.querySelector('bdi')?.getAttribute('title') ?? '',
      }))
      .sort((a, b) => a.top - b.top)
      .map(({ name }) => name),
  );
