import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fillPath, openFolder, scanned, shownNames, tableRow } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';
import { describeInShells, type ShellPage } from './support/in-shells.ts';
import { shardName, writeModel } from './support/make-model.ts';
import { fixture } from './support/start-server.ts';

describeInShells('a model of several files', { standIn: false }, ({ open, folder }) => {
  const model = join(folder, 'gemma');

  /** Opens the model's folder the way a person does. */
  const openModel = async (): Promise<ShellPage> => {
    const opened = await open();
    await opened.openFolder(model);
    await scanned(opened.page);
    return opened;
  };

  beforeAll(() => writeModel(model, 4, [3]));

  it('opens as one, with what is missing in the verdict, the header and the findings', async () => {
    const { page } = await openModel();
    await page.locator('.verdict-pill.damaged').waitFor();
    expect(await page.getByTestId('verdict').textContent()).toContain(shardName(3, 4));
    expect(await page.locator('.facts').textContent()).toContain('4 shards, 1 missing');
    await page.locator('.finding-row[data-code="shard-missing"]').waitFor();
    expect(await page.getByTestId('status-count').textContent()).toBe('8 of 8');
  });

  it('lists absent tensors quietly, with the reason', async () => {
    const { page } = await openModel();
    const row = tableRow(page, 'model.layers.2.mlp.weight');
    expect(await row.locator('[data-column="dtype"]').textContent()).toBe('absent');
    expect(await row.locator('[data-column="dtype"]').getAttribute('title')).toContain(shardName(3, 4));
    expect(await row.locator('[data-column="shape"]').textContent()).toBe('–');
    await row.click();
    await page.getByText('This tensor is absent').waitFor();
    await page.locator('[data-area="details"] .message', { hasText: shardName(3, 4) }).waitFor();
    await page.getByRole('textbox', { name: 'Filter tensors' }).fill('is:absent');
    expect(await page.getByTestId('status-count').textContent()).toBe('2 of 8');
  });

  it('shows each shard, and narrows the table to one, by mouse and by key', async () => {
    const { page } = await openModel();
    await page.getByRole('button', { name: /4 shards/ }).click();
    const map = page.getByRole('listbox', { name: 'Shards' });
    const lines = map.getByRole('option');
    expect(await lines.allTextContents()).toEqual([
      expect.stringMatching(/^Present.*2 tensors/),
      expect.stringMatching(/^Present.*2 tensors/),
      expect.stringMatching(/^Missing.*2 tensors lost–$/),
      expect.stringMatching(/^Present.*2 tensors/),
    ]);
    await lines.nth(1).click();
    expect(await shownNames(page)).toEqual(['model.layers.1.mlp.bias', 'model.layers.1.mlp.weight']);
    expect(await page.getByTestId('shard-chip').textContent()).toBe('00002-of-00004');
    await map.press('ArrowDown');
    await map.press('Enter');
    expect(await shownNames(page)).toEqual(['model.layers.2.mlp.bias', 'model.layers.2.mlp.weight']);
    await map.press('Enter');
    expect(await page.getByTestId('status-count').textContent()).toBe('8 of 8');
    await map.press('End');
    await map.press(' ');
    expect((await shownNames(page))[0]).toBe('model.layers.3.mlp.bias');
    await page.getByTestId('shard-chip').getByRole('button', { name: 'Show all shards' }).click();
    expect(await page.getByTestId('shard-chip').count()).toBe(0);
  });

  it('shows the file of each tensor, which a single file does not', async () => {
    const { page, openPath } = await openModel();
    const cell = tableRow(page, 'model.layers.1.mlp.bias').locator('[data-column="file"]');
    expect(await cell.textContent()).toBe('00002-of-00004');
    expect(await cell.getAttribute('title')).toBe(shardName(2, 4));
    await openPath(fixture('good/all_dtypes.safetensors'));
    await page.getByRole('tab', { name: 'all_dtypes.safetensors' }).waitFor();
    await page.locator('.table-row').first().waitFor();
    expect(await page.locator('[data-column="file"]').count()).toBe(0);
    expect(await page.getByRole('tab', { name: /^Shards/ }).count()).toBe(0);
  });
});

describeInBrowser('a model of several files in the browser version', ({ open, folder }) => {
  const model = join(folder, 'gemma');
  beforeAll(() => writeModel(model, 4, [3]));

  it('opens by an index chosen in the folders, once', async () => {
    const { page } = await open();
    await openFolder(page, model);
    await scanned(page);
    await page.keyboard.press('Control+o');
    await fillPath(page, model);
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('option', { name: /index\.json/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await scanned(page);
    expect(await page.getByRole('tablist', { name: 'Open files' }).getByRole('tab').count()).toBe(1);
  });

  it('cannot be dropped on a page as a folder, which is said', async () => {
    const { page } = await open();
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [model], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
    }
    await page.getByText('A folder was dropped').waitFor();
    await page.getByText('Drop its files one by one, or choose it with File → Open Folder….').waitFor();
    expect(await page.getByRole('tablist', { name: 'Open files' }).getByRole('tab').count()).toBe(0);
  });
});
