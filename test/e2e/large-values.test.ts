import { join } from 'node:path';
import { it } from 'vitest';
import { tableRow } from './support/browser.ts';
import { describeInShells } from './support/in-shells.ts';
import { writeSafetensors } from './support/make-safetensors.ts';

const LONG = 5_000_000;
const TALL = 100_000;

/** Float32 0, 1, 2, …: exact up to 2^24. */
const counting = (length: number): Uint8Array =>
  new Uint8Array(Float32Array.from({ length }, (_, index) => index).buffer);

describeInShells('values of long tensors (B53)', { standIn: false }, ({ openServing, folder }) => {
  it('reaches the last element by key, by going to it and by scrolling', async () => {
    const path = join(folder, 'long.safetensors');
    writeSafetensors(path, [
      { name: 'long', dtype: 'F32', shape: [LONG], bytes: counting(LONG) },
      { name: 'tall', dtype: 'F32', shape: [TALL, 3], bytes: counting(TALL * 3) },
    ]);
    const { page } = await openServing(path);
    const grid = page.getByRole('grid', { name: 'Values' });
    const readout = page.locator('.value-readout');

    await tableRow(page, 'long').click();
    await page.getByRole('tab', { name: 'Values' }).click();
    await grid.focus();
    await page.keyboard.press('Control+End');
    await readout.getByText(`[${LONG - 1}] = ${LONG - 1}`).waitFor();
    await page.getByRole('textbox', { name: /^Go to/ }).fill('1234567');
    await page.keyboard.press('Enter');
    await readout.getByText('[1234567] = 1234567').waitFor();
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await grid.getByText(String(LONG - 1), { exact: true }).waitFor();

    await tableRow(page, 'tall').click();
    await grid.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('End');
    await readout.getByText(`[${TALL - 1}, 2] = ${TALL * 3 - 1}`).waitFor();
  });
});
