import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture as built, runLoupe } from '../cli/support/run-loupe.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { violations } from './support/axe.ts';
import { chromiumPath, launchBrowser } from './support/browser.ts';
import { f32, safetensorsBytes } from './support/make-safetensors.ts';

const folders = temporaryFolders();
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "'</style><svg onload=alert(1)>",
  '\u202eevil',
];

describe.skipIf(chromiumPath === undefined)('the report as a page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Writes a report and opens it; returns the page and all that it complained about or asked for. */
  const report = async (model: string, colorScheme: 'light' | 'dark') => {
    const path = join(folders.make(), 'report.html');
    await runLoupe('audit', model, '-o', path);
    const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(path).href) {
        complaints.push(request.url());
      }
    });
    await page.goto(pathToFileURL(path).href);
    return { page, context, complaints };
  };

  it.each(['light', 'dark'] as const)('is readable and accessible: %s', async (scheme) => {
    const { page, context, complaints } = await report(built('../../samples/sample.safetensors'), scheme);
    await page.getByRole('heading', { name: 'Depth profiles' }).waitFor();
    expect(await page.locator('.verdict').textContent()).toBe('8 warnings');
    expect(await page.getByRole('img', { name: /^root mean square over 6 layers/ }).count()).toBe(9);
    expect(await page.getByRole('img', { name: /^histogram from/ }).count()).toBe(8);
    // The style sheet is allowed by the page's own policy.
    expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe('0px');
    expect(await violations(page, scheme)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows hostile names as text', async () => {
    const model = join(folders.make(), 'model.safetensors');
    writeFileSync(
      model,
      safetensorsBytes(
        HOSTILE.flatMap((name) =>
          [0, 1, 2].map((layer) => ({
            name: `${name}.${layer}`,
            dtype: 'F32',
            shape: [2],
            bytes: f32(layer, Number.NaN),
          })),
        ),
      ),
    );
    const { page, context, complaints } = await report(model, 'light');
    const text = await page.locator('main').textContent();
    for (const name of HOSTILE.slice(0, 3)) {
      expect(text).toContain(`${name}.0`);
    }
    expect(text).toContain('\\u{202e}evil.0');
    expect(await page.locator('script, img, iframe, a, [onload], [onerror], [style]').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
