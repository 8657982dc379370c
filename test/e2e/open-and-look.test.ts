import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dropFiles, fillPath, openSample, scanned, shownNames, tableRow } from './support/browser.ts';
import { holdBack } from './support/hold-back.ts';
import { describeInBrowser } from './support/in-browser.ts';
import { describeInShells, type ShellPage, type ShellSession } from './support/in-shells.ts';
import { f32, safetensorsBytes } from './support/make-safetensors.ts';
import { fixture, ROOT } from './support/start-server.ts';

/** Opens the sample, the way a person does it first. */
const openedSample = async ({ open }: Pick<ShellSession, 'open'>): Promise<ShellPage> => {
  const opened = await open();
  await openSample(opened.page);
  return opened;
};

describeInShells('dropping files that only the page can read', { standIn: true }, ({ open }) => {
  it('opens a dropped file without uploading it, in a tab of its own', async () => {
    const { page } = await openedSample({ open });
    const bytes = readFileSync(join(ROOT, 'samples/sample.safetensors'));
    await dropFiles(page, [{ name: 'dropped.safetensors', bytes }]);
    await page.getByRole('tab', { name: 'dropped.safetensors' }).waitFor();
    await scanned(page);
    await page.getByTestId('verdict').filter({ hasText: '8 warnings' }).waitFor();
    await page.getByRole('tab', { name: 'sample.safetensors' }).click();
    expect(await page.getByRole('tab', { name: 'sample.safetensors' }).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('tab', { name: 'dropped.safetensors' }).click({ button: 'middle' });
    expect(await page.getByRole('tablist', { name: 'Open files' }).getByRole('tab').count()).toBe(1);
  });

  it('reads the values of a dropped file in place', async () => {
    const { page } = await open();
    const bytes = safetensorsBytes([
      { name: 'w', dtype: 'F32', shape: [2, 2], bytes: f32(0.1, Number.NaN, -0, 1e-45) },
    ]);
    await dropFiles(page, [{ name: 'tiny.safetensors', bytes }]);
    await tableRow(page, 'w').click();
    await page.getByRole('tab', { name: 'Values' }).click();
    const cells = page.getByRole('grid', { name: 'Values' }).getByRole('gridcell');
    await cells.filter({ hasText: 'NaN' }).waitFor();
    expect(await cells.allTextContents()).toEqual(['0.1', 'NaN', '-0', '1.401298464324817e-45']);
    expect(await cells.nth(2).getAttribute('title')).toContain('0x80000000');
  });
});

describeInShells('opening and looking', { standIn: false }, ({ open }) => {
  it('starts as a drop target', async () => {
    const { page } = await open();
    await page.getByRole('heading', { name: 'Drop a model file here to see what is in it' }).waitFor();
    await page.getByRole('button', { name: 'Open…' }).waitFor();
  });

  it('opens the sample, scans it and gives the verdict', async () => {
    const { page } = await openedSample({ open });
    const verdict = page.getByTestId('verdict');
    await page.locator('.verdict-pill.warnings').waitFor();
    // The NaN, and the seven matrices of the odd layer once all are scanned.
    await verdict.filter({ hasText: '8 warnings' }).waitFor();
    expect(await page.locator('.facts').textContent()).toContain('59 tensors');
    expect(await page.getByTestId('status-count').textContent()).toBe('59 of 59');
    expect(await page.getByRole('grid', { name: 'Tensors' }).getAttribute('aria-rowcount')).toBe('60');
  });

  it('sorts, with missing values last both ways, and keeps file order as the third state', async () => {
    const { page } = await openedSample({ open });
    const bytes = page.getByRole('columnheader', { name: 'Bytes' });
    await bytes.getByRole('button').click();
    expect(await bytes.getAttribute('aria-sort')).toBe('descending');
    expect(['lm_head.weight', 'model.embed_tokens.weight']).toContain((await shownNames(page))[0]);
    await bytes.getByRole('button').click();
    expect(await bytes.getAttribute('aria-sort')).toBe('ascending');
    await bytes.getByRole('button').click();
    expect(await bytes.getAttribute('aria-sort')).toBeNull();
    expect((await shownNames(page))[0]).toBe('model.rotary.position_ids');
  });

  it('filters by text, glob and dtype, and by a folder of the tree', async () => {
    const { page } = await openedSample({ open });
    const count = page.getByTestId('status-count');
    const filter = page.getByRole('textbox', { name: 'Filter tensors' });
    await page.keyboard.press('/');
    expect(await filter.evaluate((box) => box === document.activeElement)).toBe(true);
    await filter.fill('q_proj');
    expect(await count.textContent()).toBe('6 of 59');
    await filter.fill('layers.*.mlp');
    expect(await count.textContent()).toBe('18 of 59');
    await filter.fill('dtype:i64');
    expect(await shownNames(page)).toEqual(['model.rotary.position_ids']);
    await filter.fill('nothing at all');
    await page.getByText('No tensor passes the filter').waitFor();
    await filter.press('Escape');
    expect(await count.textContent()).toBe('59 of 59');
    await page.getByRole('treeitem', { name: 'layers' }).click();
    expect(await count.textContent()).toBe('54 of 59');
    await page.getByTestId('folder-chip').getByRole('button', { name: 'Show all folders' }).click();
    expect(await count.textContent()).toBe('59 of 59');
  });

  it('selects everywhere, and draws a histogram that adds up', async () => {
    const { page } = await openedSample({ open });
    await tableRow(page, 'model.layers.0.mlp.down_proj.weight').click();
    await page.locator('.tree-row.selected', { hasText: 'down_proj.weight' }).waitFor();
    const bars = page.getByTestId('histogram-bars').locator('tr');
    await bars.first().waitFor({ state: 'attached' });
    const counts = await bars.evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-count'))));
    expect(counts.length).toBeGreaterThan(20);
    expect(counts.reduce((sum, value) => sum + value, 0)).toBe(64 * 160);
    await page.getByTestId('histogram').locator('canvas').waitFor();
    await page.getByRole('radio', { name: '1–99 %' }).click();
    await page.locator('.histogram-readout', { hasText: 'below' }).waitFor();
  });

  it('shows NaN as a bar of its own', async () => {
    const { page } = await openedSample({ open });
    await page.keyboard.press('F8');
    await page
      .locator('[data-testid="histogram-bars"] tr[data-kind="nan"][data-count="1"]')
      .waitFor({ state: 'attached' });
  });

  it('says in words why there is no histogram', async () => {
    const { page } = await open();
    const bytes = safetensorsBytes([
      { name: 'empty', dtype: 'F32', shape: [0, 4], bytes: new Uint8Array(0) },
      { name: 'nothing', dtype: 'F32', shape: [3], bytes: f32(Number.NaN, Number.NaN, Number.NaN) },
    ]);
    await dropFiles(page, [{ name: 'odd.safetensors', bytes }]);
    await tableRow(page, 'empty').click();
    await page.getByText('This tensor is empty: it has no elements.').waitFor();
    await tableRow(page, 'nothing').click();
    await page.getByText('All 3 elements are NaN.').waitFor();
  });

  it('opens a file by its path, remembers it, and does not open it twice', async () => {
    const { page, openPath } = await open();
    const path = fixture('good/all_dtypes.safetensors');
    await openPath(path);
    await scanned(page);
    await openPath(path);
    const tabs = page.getByRole('tablist', { name: 'Open files' }).getByRole('tab');
    expect(await tabs.count()).toBe(1);
    await page.locator('.tab-close').click();
    await page.locator('.recent', { hasText: 'all_dtypes.safetensors' }).click();
    await scanned(page);
    expect(await tabs.count()).toBe(1);
  });
});

describeInBrowser('what only the browser version has', ({ open, openServing }) => {
  it('has the path it shows typed over, and lets who types go on when a listing comes', async () => {
    const wire = holdBack();
    const { page } = await open({ prepare: wire.prepare });
    const field = page.getByRole('textbox', { name: 'Path of a file or folder' });
    const list = page.getByRole('listbox', { name: 'Files and folders' });
    const path = fixture('good/b12_f4.safetensors');
    await page.getByRole('button', { name: 'Open…' }).waitFor();
    await page.waitForLoadState('networkidle');
    wire.hold();
    await page.keyboard.press('Control+o');
    await page.keyboard.type(path.slice(0, 5));
    wire.release();
    await list.waitFor();
    await page.keyboard.type(path.slice(5));
    expect(await field.inputValue()).toBe(path);
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+o');
    await list.waitFor();
    await field.focus();
    await page.keyboard.type(path);
    expect(await field.inputValue()).toBe(path);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'b12_f4.safetensors' }).waitFor();
  });

  it('finds a file in the folders of the server', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Open…' }).click();
    await fillPath(page, join(ROOT, 'samples'));
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /sample\.safetensors/ }).click();
    await scanned(page);
  });

  it('chooses a file of this computer', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Open…' }).click();
    await page.getByTestId('file-input').setInputFiles(fixture('good/b12_f4.safetensors'));
    await page.getByRole('tab', { name: 'b12_f4.safetensors' }).waitFor();
    await scanned(page);
  });

  it('says so when the service is gone, and what is shown stays', async () => {
    const { page, server } = await openServing();
    await openSample(page);
    await server.stop();
    await page.getByText('Connection lost').waitFor();
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    expect(await page.locator('.table-row').count()).toBeGreaterThan(5);
  });
});
