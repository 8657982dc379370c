import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { dense, stateDict, storage, torchFile } from '../support/torch-bytes.ts';
import { violations } from './support/axe.ts';
import { openPath, scanned, shownNames, tableRow } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';

describeInBrowser('views of storages', ({ open, folder }) => {
  const path = join(folder, 'views.pt');

  beforeAll(() => {
    const six = storage('FloatStorage', '0', 6);
    const own = storage('FloatStorage', '1', 2);
    const root = stateDict({
      plain: dense(own, [2]),
      turned: dense(six, [3, 2], { strides: [1, 3] }),
      part: dense(six, [2], { offset: 4 }),
      tied: dense(six, [6]),
    });
    const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
    writeFileSync(path, torchFile(root, { 0: floats(1, 2, 3, 4, 5, 6), 1: floats(7, 8) }));
  });

  it('are marked in the table, told in the details, and can be filtered by', async () => {
    const { page } = await open();
    await openPath(page, path);
    await scanned(page);
    const badge = (name: string) => tableRow(page, name).locator('.view-badge');
    expect(await badge('plain').count()).toBe(0);
    expect(await badge('turned').textContent()).toBe('view');
    expect(await badge('part').textContent()).toBe('view');
    expect(await badge('tied').textContent()).toBe('shared');
    expect(await badge('part').getAttribute('title')).toMatch(/Starts: 16 bytes into its storage/);
    await tableRow(page, 'turned').click();
    const facts = page.locator('.view-facts');
    expect(await facts.locator('dd').allTextContents()).toEqual([
      '[1, 3] elements',
      '0 bytes into its storage',
      expect.stringMatching(/^24 B @ \d.*, shared by 3 tensors$/),
    ]);
    expect(await violations(page, 'light')).toEqual([]);
    await tableRow(page, 'plain').click();
    expect(await facts.count()).toBe(0);
    await page.getByRole('textbox', { name: 'Filter tensors' }).fill('is:view');
    expect(await shownNames(page)).toEqual(['part', 'turned']);
  });
});
