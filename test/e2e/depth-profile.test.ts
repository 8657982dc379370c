import { expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { openSample } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';

describeInBrowser('the depth profile', ({ open }) => {
  it.each(['light', 'dark'] as const)(
    'draws a line a role, and a click selects the tensor: %s',
    async (colorScheme) => {
      const { page } = await open({ colorScheme });
      await openSample(page);
      await page.getByRole('tab', { name: 'Depth profile' }).click();
      const plot = page.getByTestId('depth-profile');
      await plot.locator('canvas').waitFor();
      expect(await plot.getAttribute('aria-label')).toBe('Depth profile: root mean square of 9 roles');
      const points = page.getByTestId('profile-points').locator('tr');
      expect(await points.count()).toBe(9 * 6);
      const odd = page.locator('tr[data-role-label="model.layers.{}.mlp.up_proj.weight"][data-layer="4"]');
      expect(Number(await odd.locator('td').textContent())).toBeGreaterThan(0.7);

      // Down the place of layer 4 until a point of it is under the pointer: a click selects its tensor.
      const box = (await plot.locator('.u-over').boundingBox()) ?? expect.fail('no plot');
      const x = box.x + (box.width * (4 + 0.5)) / 6;
      const readout = page.locator('.profile-readout');
      for (let y = box.y + 4; y < box.y + box.height; y += 6) {
        await page.mouse.move(x, y);
        if (/layer 4/.test((await readout.textContent()) ?? '')) {
          await page.mouse.click(x, y);
          break;
        }
      }
      await page.locator('[data-area="details"]', { hasText: 'model.layers.4.' }).waitFor();
      if (process.env.LOUPE_SHOTS !== undefined) {
        await page.screenshot({ path: `${process.env.LOUPE_SHOTS}/profile-${colorScheme}.png` });
      }
      expect(await violations(page, colorScheme)).toEqual([]);
    },
  );

  it('shows another statistic, and leaves out roles that are unticked', async () => {
    const { page } = await open();
    await openSample(page);
    await page.getByRole('tab', { name: 'Depth profile' }).click();
    await page.getByRole('combobox', { name: 'Statistic' }).selectOption('nan');
    const nan = page.locator('tr[data-role-label="model.layers.{}.mlp.down_proj.weight"][data-layer="2"] td');
    await nan.filter({ hasText: /^1$/ }).waitFor();
    await page.getByRole('checkbox', { name: 'model.layers.{}.mlp.down_proj.weight' }).uncheck();
    await nan.waitFor({ state: 'detached' });
    expect(await page.getByTestId('profile-points').locator('tr').count()).toBe(8 * 6);
  });

  it('folders of the tree tell their merged figures after the scan', async () => {
    const { page } = await open();
    await openSample(page);
    const folder = page.getByRole('treeitem', { name: 'model', exact: true });
    await folder.hover();
    expect(await folder.getAttribute('title')).toMatch(/float tensors: min -3\.7344, max 3\.2656, mean .*, std 0\.310/);
    expect(await folder.getAttribute('title')).toContain('NaN 1');
  });
});
