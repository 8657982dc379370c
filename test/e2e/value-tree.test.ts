import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import {
  call,
  dense,
  dict,
  global,
  int,
  type Piece,
  pickle,
  storage,
  text,
  torchFile,
} from '../support/torch-bytes.ts';
import { joined, utf8 } from '../support/zip-bytes.ts';
import { violations } from './support/axe.ts';
import { heightenBottomPanel, openPath, scanned } from './support/browser.ts';
import { type CallGate, gateCalls } from './support/hold-calls.ts';
import { describeInBrowser } from './support/in-browser.ts';

const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const TEMPLATE = `{% for m in messages %}\n${'{{ m.content }} '.repeat(40)}\n{% endfor %}`;

/** Puts an object into the memo, and takes it out again. */
const remember = (slot: number, piece: Piece): Piece => joined(piece, Uint8Array.of(0x71, slot));
const recall = (slot: number): Piece => Uint8Array.of(0x68, slot);
/** A list that holds itself. */
const cycle = (slot: number): Piece =>
  joined(utf8(']'), Uint8Array.of(0x71, slot), int(7), utf8('a'), recall(slot), utf8('a'));
const listOf = (count: number): Piece =>
  joined(utf8(']('), ...Array.from({ length: count }, (_, k) => int(k)), utf8('e'));

describeInBrowser('the values of a pickle', ({ open, folder }) => {
  const checkpoint = join(folder, 'checkpoint.pt');
  const broken = join(folder, 'broken.pkl');

  const treeOf = (page: Page): Locator => page.getByRole('tree', { name: 'Values of the pickle' });
  const item = (page: Page, name: string | RegExp): Locator => treeOf(page).getByRole('treeitem', { name });

  const openTree = async (path: string, fate?: (gate: CallGate) => void): Promise<{ page: Page; gate: CallGate }> => {
    const gates: CallGate[] = [];
    const { page } = await open({
      prepare: async (fresh) => {
        gates.push(await gateCalls(fresh));
        await heightenBottomPanel(fresh);
      },
    });
    const [gate] = gates;
    if (gate === undefined) {
      throw new Error('the page was not prepared');
    }
    fate?.(gate);
    await openPath(page, path);
    await page.getByRole('tab', { name: /^Metadata/ }).click();
    return { page, gate };
  };

  beforeAll(() => {
    const betas = remember(1, dict([text('beta'), int(9)]));
    const root = dict(
      [text('epoch'), int(12)],
      [text('template'), text(TEMPLATE)],
      [text('weights'), dict([text('w'), dense(storage('FloatStorage', '0', 4), [2, 2])])],
      [text('first'), betas],
      [text('again'), recall(1)],
      [text('loop'), cycle(2)],
      [text('thing'), call(global('mine', 'Thing'), int(3), text('x\u202e'))],
      [text('many'), listOf(3000)],
    );
    writeFileSync(checkpoint, torchFile(pickle(root), { 0: FOUR }));
    writeFileSync(broken, joined(Uint8Array.of(0x80, 2), global('os', 'system'), utf8('0'), Uint8Array.of(0xff)));
  });

  it('opens step by step, fetching only what is shown', async () => {
    const { page, gate } = await openTree(checkpoint);
    await item(page, /^epoch: 12/).waitFor();
    expect(await item(page, /^data\.pkl/).getAttribute('aria-expanded')).toBe('true');
    expect(await item(page, /^epoch/).getAttribute('aria-expanded')).toBeNull();
    expect(gate.count('valueChildren')).toBe(1);
    await item(page, /^thing/)
      .locator('[data-toggle]')
      .click();
    await item(page, 'called: mine.Thing').waitFor();
    await item(page, /^argument 1: "x\\u\{202e\}"/).waitFor();
    expect(gate.count('valueChildren')).toBe(2);
  });

  it('works by the keys of the tree pattern', async () => {
    const { page } = await openTree(checkpoint);
    await item(page, /^epoch/).waitFor();
    const tree = treeOf(page);
    const active = async (): Promise<string | null> =>
      tree.locator('[aria-selected="true"]').getAttribute('aria-label');
    await tree.focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(active).toBe('epoch: 12');
    await page.keyboard.press('ArrowRight');
    await expect.poll(active).toBe('epoch: 12');
    for (let press = 0; press < 2; press += 1) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('ArrowRight');
    await item(page, /^w: tensor/).waitFor();
    await page.keyboard.press('ArrowRight');
    await expect.poll(active).toBe('w: tensor F32 · 2 × 2');
    expect(await item(page, /^w: tensor/).getAttribute('aria-level')).toBe('3');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(active).toMatch(/^weights/);
    await page.keyboard.press('ArrowLeft');
    await item(page, /^w: tensor/).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowLeft');
    await expect.poll(active).toMatch(/^data\.pkl/);
    await page.keyboard.press('End');
    await expect.poll(active).toMatch(/^many/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await expect.poll(active).toBe('2999: 2999');
    expect(await item(page, '2999: 2999').getAttribute('aria-setsize')).toBe('3000');
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await expect.poll(active).toMatch(/^data\.pkl/);
  });

  it('leads from a tensor to the table', async () => {
    const { page } = await openTree(checkpoint);
    await scanned(page);
    await item(page, /^weights/).dblclick();
    await item(page, /^w: tensor F32 · 2 × 2/).click();
    await page.locator('.table-row.selected', { hasText: 'weights.w' }).waitFor();
    await page.getByRole('heading', { name: 'weights.w' }).waitFor();
    expect(await item(page, /^w: tensor/).getAttribute('class')).toContain('selected');
  });

  it('shows what is shared or holds itself as a way to where it stands', async () => {
    const { page } = await openTree(checkpoint);
    const again = item(page, /^again: .*same as first$/);
    await again.waitFor();
    expect(await again.getAttribute('aria-expanded')).toBeNull();
    await item(page, /^loop/).dblclick();
    await item(page, /^1: .*same as loop$/).waitFor();
    expect(await item(page, /^1: /).textContent()).toContain('inside itself');
    await again.click();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => treeOf(page).locator('[aria-selected="true"]').getAttribute('aria-label'))
      .toMatch(/^first: \{/);
  });

  it('gives long texts to read, line by line', async () => {
    const { page } = await openTree(checkpoint);
    await item(page, /^template/).click();
    const reader = page.getByRole('region', { name: 'The selected value' });
    const whole = reader.getByRole('region', { name: 'Whole text' });
    await whole.waitFor();
    expect(await whole.textContent()).toBe(TEMPLATE);
    await reader.getByRole('button', { name: 'Copy value' }).click();
    await page.getByText('Copied the value').waitFor();
  });

  it('says why there is no tree', async () => {
    const { page } = await openTree(broken);
    await page.getByText('No values').waitFor();
    await page.getByText(/The pickle is not whole: broken at byte/).waitFor();
  });

  it('shows a skeleton while it waits, places for lines on their way, and errors that can be tried again', async () => {
    const { page, gate } = await openTree(checkpoint, (calls) => calls.set('pickles', 'hold'));
    await page.getByRole('status').filter({ hasText: 'Loading the values' }).waitFor();
    gate.set('valueChildren', 'hold');
    gate.set('pickles', 'pass');
    await item(page, 'Loading').first().waitFor();
    gate.set('valueChildren', 'pass');
    await item(page, /^epoch/).waitFor();
    gate.set('valueChildren', 'fail');
    await item(page, /^thing/)
      .locator('[data-toggle]')
      .click();
    await page.getByRole('alert').filter({ hasText: 'These values could not be read' }).waitFor();
    gate.set('valueChildren', 'pass');
    await page.getByRole('button', { name: 'Try again' }).click();
    await item(page, 'called: mine.Thing').waitFor();
    gate.set('valueText', 'fail');
    await item(page, /^template/).click();
    await page.getByRole('alert').filter({ hasText: 'The text could not be read' }).waitFor();
  });

  it('says what failed when the values cannot be listed at all', async () => {
    const { page, gate } = await openTree(checkpoint, (calls) => calls.set('pickles', 'fail'));
    await page.getByRole('alert').filter({ hasText: 'The values could not be listed' }).waitFor();
    gate.set('pickles', 'pass');
    await page.getByRole('button', { name: 'Try again' }).click();
    await item(page, /^epoch/).waitFor();
  });

  it.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (colorScheme) => {
    const { page } = await open({ colorScheme, prepare: heightenBottomPanel });
    await openPath(page, checkpoint);
    await page.getByRole('tab', { name: /^Metadata/ }).click();
    await item(page, /^weights/).dblclick();
    await item(page, /^w: tensor/).click();
    await item(page, /^template/).click();
    await page.getByRole('region', { name: 'Whole text' }).waitFor();
    expect(await violations(page, colorScheme)).toEqual([]);
  });
});
