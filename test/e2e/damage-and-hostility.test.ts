import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInShells } from './support/in-shells.ts';
import { f32, writeSafetensors } from './support/make-safetensors.ts';
import { fixture } from './support/start-server.ts';

const HOSTILE = [
  '<img src=x onerror=document.title=1>',
  'a\u001b[2J\u001b]52;c;x\u0007b',
  'x\u202eyz',
  'x\u200bz',
  '__proto__',
  'javascript:alert(1)',
  `long.${'n'.repeat(5000)}.weight`,
  `marks${'\u0301'.repeat(2000)}`,
];

describeInShells('damaged files', { standIn: false }, ({ open, openServing }) => {
  it.each([
    ['b03_trunc.safetensors', 'truncated'],
    ['b01_dup.safetensors', 'duplicate-name'],
    ['b02_trailing.safetensors', 'trailing-bytes'],
    ['st_overlap.safetensors', 'overlap'],
    ['st_hole.safetensors', 'gap'],
    ['st_dup_key.safetensors', 'duplicate-name'],
  ])('%s: damaged, finding %s', async (file, code) => {
    const { page, openPath } = await open();
    await openPath(fixture(`bad/${file}`));
    await page.locator('.verdict-pill.damaged').waitFor();
    await page.locator(`.finding-row[data-code="${code}"]`).first().waitFor();
  });

  it('jumps from a finding to its tensor, which is refused with the reason', async () => {
    const { page } = await openServing(fixture('bad/b03_trunc.safetensors'));
    await page.locator('.finding-row[data-code="truncated"]').click();
    await page.locator('.table-row.selected.unreadable').waitFor();
    await page.getByText('This tensor cannot be read').waitFor();
  });

  it('says what a file is that is no checkpoint', async () => {
    const { page } = await openServing(fixture('bad/b04_lfs.safetensors'));
    await page.locator('.verdict-pill.incomplete').waitFor();
    await page.locator('.finding-row[data-code="git-lfs-pointer"]').waitFor();
    await page.locator('.message', { hasText: 'This file holds no tensor that could be listed' }).waitFor();
  });
});

describeInShells('hostile files', { standIn: true }, ({ openServing, folder }) => {
  it('shows hostile names and metadata as text, and copies them exactly', async () => {
    const path = join(folder, 'hostile.safetensors');
    const tensors = HOSTILE.map((name) => ({ name, dtype: 'F32', shape: [2], bytes: f32(1, 2) }));
    writeSafetensors(path, tensors, { '<b>key</b>\u202e': '<script>document.title=2</script>', json: '{"a":[1]}' });
    const { page, clipboardText } = await openServing(path);
    await page.locator('.table-row').first().waitFor();

    const shown = await page.locator('.table-row').allTextContents();
    expect(shown).toHaveLength(HOSTILE.length);
    for (const visible of ['\\u{1b}[2J', 'x\\u{202e}yz', 'x\\u{200b}z']) {
      expect(shown.some((text) => text.includes(visible))).toBe(true);
    }
    expect(shown.join('')).not.toMatch(/[\u001b\u202e\u200b]/);
    expect(await page.locator('img, script:not([src]), b').count()).toBe(0);
    expect(await page.title()).toBe('Tensor Loupe');

    await page.locator('.table-row', { hasText: 'x\\u{202e}yz' }).click();
    await page.getByRole('grid', { name: 'Tensors' }).press('Control+c');
    await page.getByText('Copied the name').waitFor();
    expect(await clipboardText()).toBe('x\u202eyz');

    await page.getByRole('tab', { name: /^Metadata/ }).click();
    await page.getByText('<b>key</b>\\u{202e}').waitFor();
    await page.getByText('<script>document.title=2</script>').waitFor();
    await page.getByRole('button', { name: 'Value of json' }).click();
    await page.locator('pre', { hasText: '"a": [' }).waitFor();
  });
});
