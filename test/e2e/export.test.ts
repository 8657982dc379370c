import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, type LoupePage, launchBrowser, openPage, tableRow } from './support/browser.ts';
import { f32, writeSafetensors } from './support/make-safetensors.ts';
import { type Server, startServer } from './support/start-server.ts';

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

describe.skipIf(chromiumPath === undefined)('exporting', () => {
  let server: Server;
  let browser: Browser;
  let loupe: LoupePage;
  const folder = mkdtempSync(join(tmpdir(), 'loupe-e2e-'));

  beforeAll(async () => {
    const path = join(folder, 'export.safetensors');
    writeSafetensors(path, [
      { name: 'half', dtype: 'BF16', shape: [2, 3], bytes: new Uint8Array(BF16.buffer) },
      { name: 'odd/../name: "x"', dtype: 'F32', shape: [2], bytes: f32(1.5, -2) },
    ]);
    [server, browser] = await Promise.all([startServer(path), launchBrowser()]);
    loupe = await openPage(browser, server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes a tensor as f32, byte for byte, by key', async () => {
    const { page } = loupe;
    await tableRow(page, 'half').click();
    const { name, bytes } = await downloaded(page, () => page.keyboard.press('Control+e'));
    expect(name).toBe('half.f32');
    expect(bytes.equals(Buffer.from(AS_F32.buffer))).toBe(true);
  });

  it('does it from the context menu too', async () => {
    const { page } = loupe;
    await tableRow(page, 'half').click({ button: 'right' });
    const { bytes } = await downloaded(page, () =>
      page.getByRole('menuitem', { name: 'Export Tensor as f32…' }).click(),
    );
    expect(bytes.byteLength).toBe(24);
  });

  it('writes a slice as npy from the dialog', async () => {
    const { page } = loupe;
    await tableRow(page, 'half').click();
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
    const { page } = loupe;
    await tableRow(page, 'half').click();
    await page.keyboard.press('Control+Shift+e');
    await page.getByLabel('Slice (empty for the whole tensor)').fill('9,9,9');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('Export failed').waitFor();
  });

  it('left no complaint', () => {
    expect(loupe.complaints).toEqual([]);
  });
});
