import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openPath, tableRow } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';
import { f32, writeSafetensors } from './support/make-safetensors.ts';

const BF16 = Uint16Array.of(0x3f80, 0xbf80, 0x7fc0, 0x0001, 0x8000, 0x4049);
/** The same six values as float32: a bfloat16 is the upper half of one. */
const AS_F32 = Uint32Array.from(BF16, (bits) => bits << 16);

const downloaded = async (
  page: Page,
  act: () => Promise<void>,
): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
};

describeInBrowser('exporting', ({ open, folder }) => {
  const path = join(folder, 'export.safetensors');

  /** A page with the file open and its tensor `half` selected. */
  const openHalf = async (): Promise<Page> => {
    const { page } = await open();
    await openPath(page, path);
    await tableRow(page, 'half').click();
    return page;
  };

  beforeAll(() =>
    writeSafetensors(path, [
      { name: 'half', dtype: 'BF16', shape: [2, 3], bytes: new Uint8Array(BF16.buffer) },
      { name: 'odd/../name: "x"', dtype: 'F32', shape: [2], bytes: f32(1.5, -2) },
    ]),
  );

  it('writes a tensor as f32, byte for byte, by key', async () => {
    const page = await openHalf();
    const { name, bytes } = await downloaded(page, () => page.keyboard.press('Control+e'));
    expect(name).toBe('half.f32');
    expect(bytes.equals(Buffer.from(AS_F32.buffer))).toBe(true);
  });

  it('does it from the context menu too', async () => {
    const page = await openHalf();
    await tableRow(page, 'half').click({ button: 'right' });
    const { bytes } = await downloaded(page, () =>
      page.getByRole('menuitem', { name: 'Export Tensor as f32…' }).click(),
    );
    expect(bytes.byteLength).toBe(24);
  });

  it('writes a slice as npy from the dialog', async () => {
    const page = await openHalf();
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('combobox', { name: 'Format' }).selectOption('npy');
    await page.getByRole('combobox', { name: 'Values' }).selectOption('f32');
    await page.getByLabel('Slice (empty for the whole tensor)').fill('1,:');
    const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: 'Download' }).click());
    expect(name).toBe('half.npy');
    expect(bytes.subarray(0, 6).toString('latin1')).toBe('\x93NUMPY');
    expect(bytes.subarray(-12).equals(Buffer.from(AS_F32.slice(3).buffer))).toBe(true);
  });

  it('says why a slice cannot be written', async () => {
    const page = await openHalf();
    await page.keyboard.press('Control+Shift+e');
    await page.getByLabel('Slice (empty for the whole tensor)').fill('9,9,9');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('Export failed').waitFor();
  });
});
