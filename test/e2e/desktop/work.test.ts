import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scanned, tableRow } from '../support/browser.ts';
import { describeOnDesktop } from '../support/desktop.ts';
import { f32, writeSafetensors } from '../support/make-safetensors.ts';

const BF16 = Uint16Array.of(0x3f80, 0xbf80, 0x7fc0, 0x0001, 0x8000, 0x4049);
/** The same six values as float32: a bfloat16 is the upper half of one. */
const AS_F32 = Buffer.from(Uint32Array.from(BF16, (bits) => bits << 16).buffer);

describeOnDesktop('working with a file', ({ startWithPage, folder }) => {
  const path = join(folder, 'work.safetensors');
  const tensors = [
    { name: 'half', dtype: 'BF16', shape: [2, 3], bytes: new Uint8Array(BF16.buffer) },
    { name: 'odd/../name: ‘x’', dtype: 'F32', shape: [2], bytes: f32(1.5, -2) },
  ];
  const startOnFile = () => {
    writeSafetensors(path, tensors);
    return startWithPage({ files: [path] });
  };

  it('exports a tensor where the save dialog says, byte for byte, and nothing when it is dismissed', async () => {
    const { app, page } = await startOnFile();
    await tableRow(page, 'half').click();
    await page.keyboard.press('Control+e');
    await expect.poll(async () => (await app.shownDialogs()).length).toBe(1);
    const target = join(folder, 'half.f32');
    await app.answerSave(target);
    await app.clickMenu('File', 'Export Tensor as f32…');
    await page.getByText('Exported', { exact: true }).waitFor();
    expect(readFileSync(target).equals(AS_F32)).toBe(true);
    expect((await app.shownDialogs()).at(-1)).toMatchObject({ kind: 'save', options: { defaultPath: 'half.f32' } });
    // Over what is there: the dialog has asked.
    writeFileSync(target, 'something else');
    await app.clickMenu('File', 'Export Tensor as f32…');
    await expect.poll(() => readFileSync(target).equals(AS_F32)).toBe(true);
    expect(await app.shownDialogs()).toHaveLength(3);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('exports many into the folder that was chosen', async () => {
    const { app, page } = await startOnFile();
    await page.locator('.table-row').first().waitFor();
    await app.clickMenu('File', 'Export Matching…');
    const target = join(folder, 'many');
    await app.answerOpen(target);
    await page.getByLabel('Tensors whose whole name matches').fill('*');
    await page.getByLabel('Format').selectOption('raw');
    await page.getByRole('button', { name: 'Choose…' }).click();
    await expect.poll(() => page.getByLabel('Folder to write into').inputValue()).toBe(target);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('2 files,').waitFor();
    expect(readFileSync(join(target, 'half.bin')).equals(Buffer.from(BF16.buffer))).toBe(true);
  });

  it('copies to the system’s clipboard', async () => {
    const { app, page } = await startOnFile();
    await tableRow(page, 'odd/../name: ‘x’').click();
    await app.clickMenu('Edit', 'Copy Name');
    await page.getByText('Copied the name').waitFor();
    expect(await app.clipboardText(page)).toBe('odd/../name: ‘x’');
  });

  it('shows statistics and values of a mapped file', async () => {
    const { page } = await startOnFile();
    await scanned(page);
    await tableRow(page, 'half').click();
    await page.getByTestId('histogram').locator('canvas').waitFor();
    await page.getByRole('tab', { name: 'Values' }).click();
    const cells = page.getByRole('grid', { name: 'Values' }).getByRole('gridcell');
    await cells.filter({ hasText: 'NaN' }).waitFor();
    expect(await cells.allTextContents()).toEqual(['1', '-1', 'NaN', '9.183549615799121e-41', '-0', '3.140625']);
  });
});
