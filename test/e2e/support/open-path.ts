import type { Page } from 'playwright-core';

/** Shows the dialog that opens files, again and again until the page is connected and can list a folder. */
const showDialog = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog');
  const listing = dialog.locator('.entry-list');
  for (;;) {
    await page.keyboard.press('Control+o');
    await listing.or(dialog.getByRole('alert')).first().waitFor();
    if (await listing.isVisible()) {
      return;
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
};

/** Opens a file by its path, as a person types it, and waits for its tab. */
export const openPath = async (page: Page, path: string): Promise<void> => {
  await showDialog(page);
  await page.getByRole('textbox', { name: 'Path of a file or folder' }).fill(path);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: path.split('/').at(-1) ?? '' }).waitFor();
};

/** Makes the bottom panel as high as the rest of the window, from the next time the page is loaded. */
export const heightenBottomPanel = (page: Page): Promise<void> =>
  page.evaluate(() => localStorage.setItem('loupe-layout-rows', JSON.stringify({ upper: 50, bottom: 50 })));
