import { expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { openSample, scanned, tableRow } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';

describeInBrowser('access', ({ open }) => {
  it.each(['light', 'dark'] as const)(
    'axe finds nothing in the %s theme',
    { timeout: 240_000 },
    async (colorScheme) => {
      const { page } = await open({ colorScheme });
      expect(await violations(page, colorScheme)).toEqual([]);
      await openSample(page);
      expect(await violations(page, colorScheme)).toEqual([]);
      await tableRow(page, 'model.layers.0.mlp.down_proj.weight').click();
      await page.getByTestId('histogram').locator('canvas').waitFor();
      expect(await violations(page, colorScheme)).toEqual([]);
      await page.getByRole('tab', { name: 'Values' }).click();
      await page.getByRole('tab', { name: /^Metadata/ }).click();
      await page.getByRole('grid', { name: 'Values' }).waitFor();
      expect(await violations(page, colorScheme)).toEqual([]);
      for (const key of ['Control+o', 'Control+Shift+p', 'Control+Shift+e', 'Control+/']) {
        await page.keyboard.press(key);
        await page.getByRole('dialog').waitFor();
        expect(await violations(page, colorScheme)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    },
  );

  it('works from the keyboard alone', async () => {
    const { page } = await open();
    await page.keyboard.press('Control+Shift+p');
    await page.keyboard.type('open sample');
    await page.keyboard.press('Enter');
    await scanned(page);
    const focusedPanel = (): Promise<string | undefined> =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-area]')?.dataset.area);
    const panels = new Set<string | undefined>();
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('F6');
      panels.add(await focusedPanel());
    }
    expect([...panels]).toEqual(expect.arrayContaining(['tree', 'table', 'bottom', 'summary']));

    await page.getByRole('tree').focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'Enter']) {
      await page.keyboard.press(key);
    }
    const grid = page.getByRole('grid', { name: 'Tensors' });
    await grid.focus();
    await page.keyboard.press('End');
    const active = await grid.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-rowindex')).toBe('60');
    await page.keyboard.press('Enter');
    await expect.poll(focusedPanel).toBe('details');
  });

  it('stays usable at 900 × 600, and remembers theme and panels', async () => {
    const { page } = await open({ width: 900, height: 600 });
    await openSample(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.getByRole('menuitem', { name: 'View' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Theme: Dark' }).click();
    await page.keyboard.press('Control+b');
    await page.reload();
    await page.locator('.start').waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await openSample(page);
    expect(await page.getByRole('tree').count()).toBe(0);
  });
});
