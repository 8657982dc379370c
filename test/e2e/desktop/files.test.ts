import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { scanned } from '../support/browser.ts';
import { describeOnDesktop, pagesOf } from '../support/desktop.ts';
import { writeModel } from '../support/make-model.ts';
import { fixture } from '../support/start-server.ts';

const ALL_DTYPES = fixture('good/all_dtypes.safetensors');

/** Waits until a file is shown in the active tab, and answers its path as the status bar has it. */
const shown = async (page: Page, name: string): Promise<string | null> => {
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await scanned(page);
  return page.locator('.status-path').textContent();
};

describeOnDesktop('opening files', ({ start, startWithPage, folder }) => {
  it('opens what the command line names', async () => {
    const app = await start({ files: [ALL_DTYPES] });
    const [page] = await pagesOf(app, 1);
    expect(page === undefined ? '' : await shown(page, 'all_dtypes.safetensors')).toBe(ALL_DTYPES);
  });

  it('opens what the system’s dialog answers, and nothing when it is dismissed', async () => {
    const { app, page } = await startWithPage();
    await app.clickMenu('File', 'Open…');
    await expect.poll(async () => (await app.shownDialogs()).length).toBe(1);
    await app.answerOpen(ALL_DTYPES);
    await page.keyboard.press('Control+o');
    expect(await shown(page, 'all_dtypes.safetensors')).toBe(ALL_DTYPES);
    const dialogs = await app.shownDialogs();
    expect(dialogs).toMatchObject([
      { kind: 'open', options: { properties: ['openFile'] } },
      { kind: 'open', options: { properties: ['openFile'] } },
    ]);
    expect(await page.getByRole('tablist', { name: 'Open files' }).getByRole('tab').count()).toBe(1);
  });

  it('opens a model’s folder', async () => {
    const model = join(folder, 'gemma');
    writeModel(model, 2);
    const { app, page } = await startWithPage();
    await app.answerOpen(model);
    await app.clickMenu('File', 'Open Folder…');
    await page.getByRole('tab', { name: 'gemma' }).waitFor();
    await scanned(page);
    expect(await page.locator('.facts').textContent()).toContain('2 shards');
    expect((await app.shownDialogs()).at(-1)).toMatchObject({ options: { properties: ['openDirectory'] } });
  });

  it('opens dropped files and folders by their paths', async () => {
    const here = join(folder, 'R&D');
    mkdirSync(here, { recursive: true });
    const dropped = join(here, 'dröpped.safetensors');
    copyFileSync(ALL_DTYPES, dropped);
    const model = join(folder, 'dropped-model');
    writeModel(model, 2);
    const { app, page } = await startWithPage();
    await app.drop(page, [dropped]);
    expect(await shown(page, 'dröpped.safetensors')).toBe(dropped);
    await app.drop(page, [model]);
    await page.getByRole('tab', { name: 'dropped-model', selected: true }).waitFor();
    await scanned(page);
    expect(await page.locator('.facts').textContent()).toContain('2 shards');
  });

  it('opens what the system hands over, and what a second start names, in the window there is', async () => {
    const { app, page } = await startWithPage();
    await app.openFile(ALL_DTYPES);
    expect(await shown(page, 'all_dtypes.safetensors')).toBe(ALL_DTYPES);
    await app.startAgain([fixture('good/b12_f4.safetensors')]);
    expect(await shown(page, 'b12_f4.safetensors')).toBe(fixture('good/b12_f4.safetensors'));
    expect(app.pages()).toHaveLength(1);
  });

  it('lists what was opened under Open Recent, until it is cleared', async () => {
    const { app, page } = await startWithPage();
    await app.openFile(ALL_DTYPES);
    await shown(page, 'all_dtypes.safetensors');
    await page.locator('.tab-close').click();
    await page.locator('.recent', { hasText: 'all_dtypes.safetensors' }).waitFor();
    await app.clickMenu('File', 'Open Recent', ALL_DTYPES);
    await shown(page, 'all_dtypes.safetensors');
    await app.clickMenu('File', 'Open Recent', 'Clear Recent Files');
    await expect(app.clickMenu('File', 'Open Recent', ALL_DTYPES)).rejects.toThrow('disabled');
  });
});
