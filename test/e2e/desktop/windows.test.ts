import { expect, it } from 'vitest';
import { scanned } from '../support/browser.ts';
import { describeOnDesktop, pagesOf } from '../support/desktop.ts';

describeOnDesktop('menus, windows and the end', ({ startWithPage }) => {
  it('has a native menu in place of the page’s own, whose lines do what they say', async () => {
    const { app, page } = await startWithPage();
    expect(await page.getByRole('menubar').count()).toBe(0);
    await app.clickMenu('File', 'Open Sample');
    await scanned(page);
    await app.clickMenu('View', 'Theme: Dark');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await app.clickMenu('View', 'Tree');
    await expect.poll(() => page.getByRole('tree').count()).toBe(0);
    await app.clickMenu('Edit', 'Find…');
    const filter = page.getByRole('textbox', { name: 'Filter tensors' });
    await expect.poll(() => filter.evaluate((box) => box === document.activeElement)).toBe(true);
    await app.clickMenu('Help', 'Keyboard Shortcuts');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await app.clickMenu('File', 'Close');
    await page.locator('.start').waitFor();
  });

  it('does a command once by its key, which menu and page both know', async () => {
    const { app, page } = await startWithPage();
    await app.clickMenu('File', 'Open Sample');
    await scanned(page);
    await page.keyboard.press('Control+b');
    await expect.poll(() => page.getByRole('tree').count()).toBe(0);
    await page.keyboard.press('Control+b');
    await page.getByRole('tree').waitFor();
  });

  it('hands links of the fixed list to the system’s browser', async () => {
    const { app } = await startWithPage();
    await app.clickMenu('Help', 'About the safetensors Format');
    expect(await app.openedLinks()).toEqual(['https://huggingface.co/docs/safetensors/index']);
  });

  it('has several windows, each with its own service', async () => {
    const { app, page } = await startWithPage();
    await app.clickMenu('File', 'Open Sample');
    await scanned(page);
    await app.clickMenu('File', 'New Window');
    const pages = await pagesOf(app, 2);
    const second = pages.find((candidate) => candidate !== page);
    await second?.locator('.start').waitFor();
    await second?.close();
    await pagesOf(app, 1);
    await page.getByRole('tab', { name: 'sample.safetensors' }).waitFor();
    await app.clickMenu('Audit', 'Next Finding');
    await page.locator('.table-row.selected').waitFor();
  });

  it('connects anew when its page is loaded anew', async () => {
    const { app, page } = await startWithPage();
    await app.clickMenu('File', 'Open Sample');
    await scanned(page);
    await page.reload();
    await page.locator('.start').waitFor();
    await app.clickMenu('File', 'Open Sample');
    await scanned(page);
  });

  it('ends by Quit, before anything was opened', async () => {
    const { app } = await startWithPage();
    await Promise.all([app.ended, app.clickMenu('File', 'quit').catch(() => undefined)]);
    expect(await app.ended).toBe(0);
  });

  it('ends by Quit, with files open', async () => {
    const { app, page } = await startWithPage();
    await app.clickMenu('File', 'Open Sample');
    await scanned(page);
    // The answer to the click may be lost with the program.
    await Promise.all([app.ended, app.clickMenu('File', 'quit').catch(() => undefined)]);
    expect(await app.ended).toBe(0);
  });

  it.skipIf(process.platform === 'darwin')('ends with its last window', async () => {
    const { app, page } = await startWithPage();
    await page.close();
    expect(await app.ended).toBe(0);
  });
});
