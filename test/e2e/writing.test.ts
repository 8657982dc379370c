import { execFileSync } from 'node:child_process';
import { existsSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { fillPath, openFolder } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';
import { describeInShells } from './support/in-shells.ts';
import { layerTensors, writeModel } from './support/make-model.ts';
import { ROOT } from './support/start-server.ts';

/** So much that its conversion is still going on when it is cancelled, on however busy a machine. */
const LARGE = 4_000_000_000;

/** A file of one tensor of so many zero bytes, which take no room on the disk. */
const writeLarge = (path: string): void => {
  const header = `{"zeros":{"dtype":"U8","shape":[${LARGE}],"data_offsets":[0,${LARGE}]}}`.padEnd(80);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(80n);
  const file = openSync(path, 'w');
  writeSync(file, Buffer.concat([length, Buffer.from(header)]));
  ftruncateSync(file, 88 + LARGE);
};

const runCommand = async (page: Page, name: string): Promise<void> => {
  await page.keyboard.press('Control+Shift+p');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
};

/** What the command line lists of a file. */
const listed = (path: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [join(ROOT, 'out/lib/cli/loupe.js'), 'tensors', path, '--json'], {
      encoding: 'utf8',
    }),
  );

/** The bytes of each tensor of a safetensors file, by name. */
const tensorBytes = (path: string): ReadonlyMap<string, string> => {
  const file = readFileSync(path);
  const start = 8 + Number(file.readBigUInt64LE());
  const header: Record<string, { data_offsets: [number, number] }> = JSON.parse(file.toString('utf8', 8, start));
  return new Map(
    Object.entries(header)
      .filter(([name]) => name !== '__metadata__')
      .map(
        ([
          name,
          {
            data_offsets: [begin, end],
          },
        ]) => [name, file.toString('hex', start + begin, start + end)],
      ),
  );
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

interface Models {
  /** A model of three shards, the same without its second shard, and a file of a billion bytes. */
  readonly whole: string;
  readonly broken: string;
  readonly large: string;
}

const makeModels = (folder: string): Models => {
  const models = {
    whole: join(folder, 'whole'),
    broken: join(folder, 'broken'),
    large: join(folder, 'large.safetensors'),
  };
  beforeAll(() => {
    writeModel(models.whole, 3);
    writeModel(models.broken, 3, [2]);
    writeLarge(models.large);
  });
  return models;
};

describeInShells('writing many tensors', { standIn: false }, (session) => {
  const { folder } = session;
  const { whole, broken, large } = makeModels(folder);

  const open = async (path: string): Promise<Page> => {
    const opened = await session.open();
    const { page } = opened;
    await opened.openFolder(path);
    await page.locator('.table-row').first().waitFor();
    return page;
  };

  it('asks before it replaces anything', async () => {
    const page = await open(whole);
    const target = join(folder, 'asked');
    const exportBias = async (): Promise<void> => {
      await runCommand(page, 'export matching');
      await page.getByLabel('Tensors whose whole name matches').fill('*.0.*.bias');
      await page.getByLabel('Folder to write into').fill(target);
      await page.getByRole('button', { name: 'Export', exact: true }).click();
    };
    await exportBias();
    await page.getByRole('button', { name: 'Done' }).click();
    await exportBias();
    await page.getByText('Replace what is there?').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await page.getByLabel('Tensors whose whole name matches').inputValue()).toBe('*.0.*.bias');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('1 file,').waitFor();
    await page.keyboard.press('Escape');
  });

  it('joins a sharded model into one file, which holds the same bytes', async () => {
    const page = await open(whole);
    await runCommand(page, 'convert');
    const target = join(folder, 'joined.safetensors');
    await page.getByLabel('File to write').fill(target);
    await page.getByRole('button', { name: /^Metadata/ }).click();
    await page.getByRole('button', { name: 'Add Entry' }).click();
    await page.getByLabel('Key of new entry').fill('made-by');
    await page.getByLabel('Value of new entry').fill('a test');
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await page.getByRole('region', { name: 'Files written' }).getByText('joined.safetensors').waitFor();
    const expected = [0, 1, 2].flatMap(layerTensors);
    expect(tensorBytes(target)).toEqual(new Map(expected.map(({ name, bytes }) => [name, hex(bytes)])));
    expect(JSON.stringify(listed(target))).toContain('model.layers.2.mlp.weight');
    await page.getByRole('button', { name: 'Open Result' }).click();
    await page.getByRole('tab', { name: 'joined.safetensors' }).waitFor();
    await page.locator('.verdict-pill.clean').waitFor();
    await page.getByRole('tab', { name: /^Metadata/ }).click();
    await page.getByText('a test').waitFor();
    await page.getByText('made-by').waitFor();
  });

  it('leaves out what is absent, and spreads the rest over shards', async () => {
    const page = await open(broken);
    await runCommand(page, 'convert');
    await page.getByText('2 of them cannot be read').waitFor();
    await page.getByRole('button', { name: 'Leave Them Out' }).click();
    await page.getByText('4 of 6 tensors').waitFor();
    await page.getByLabel('Shards of at most').check();
    const size = page.getByLabel('Most bytes of a shard');
    expect(await size.inputValue()).toBe('5GB');
    await size.fill('many');
    const convert = page.getByRole('button', { name: 'Convert', exact: true });
    expect(await convert.isDisabled()).toBe(true);
    await size.fill('24 B');
    await page.getByText('24 bytes of tensors').waitFor();
    const target = join(folder, 'resharded');
    await page.getByLabel('Folder to write into').fill(target);
    await convert.click();
    await page.getByText('2 files').waitFor();
    expect(readdirSync(target).sort()).toEqual([
      'model-00001-of-00002.safetensors',
      'model-00002-of-00002.safetensors',
      'model.safetensors.index.json',
    ]);
    await page.getByRole('button', { name: 'Open Result' }).click();
    await page.locator('.verdict-pill.clean').waitFor();
    expect(await page.locator('.facts').textContent()).toContain('2 shards');
  });

  it('can be cancelled, and leaves nothing', async () => {
    const page = await open(large);
    await runCommand(page, 'convert');
    const target = join(folder, 'never.safetensors');
    await page.getByLabel('File to write').fill(target);
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await page.getByRole('button', { name: 'Continue in Background' }).click();
    await page.getByRole('button', { name: 'Cancel converting' }).click();
    await page.getByText('Conversion cancelled').waitFor();
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('never') || name.startsWith('.'))).toEqual([]);
  });
});

describeInBrowser('writing many tensors in the browser version', (session) => {
  const { folder } = session;
  const { whole, broken } = makeModels(folder);

  const open = async (path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> => {
    const { page, context } = await session.open({ colorScheme });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openFolder(page, path);
    await page.locator('.table-row').first().waitFor();
    return page;
  };

  it('exports what matches into a folder of the server, byte for byte', async () => {
    const page = await open(whole);
    await page.getByRole('treeitem', { name: 'layers' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Export Matching…' }).click();
    const pattern = page.getByLabel('Tensors whose whole name matches');
    expect(await pattern.inputValue()).toBe('model.layers.*');
    await page.getByText('6 of 6 tensors').waitFor();
    await pattern.fill('*.{0,2}.mlp.weight');
    await page.getByText('2 of 6 tensors').waitFor();
    await page.getByText('32 B as stored').waitFor();
    await page.getByLabel('Format').selectOption('raw');
    await page.getByRole('button', { name: 'Choose…' }).click();
    await fillPath(page, join(folder, 'exported'));
    await page.getByRole('button', { name: 'Use This Folder' }).click();
    await page.getByRole('button', { name: 'Copy as Command' }).click();
    await page.getByText('Copied the command').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `loupe export ${whole} --include '*.{0,2}.mlp.weight' --format raw --output ${join(folder, 'exported')}`,
    );
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('2 files, 32 B').waitFor();
    expect(readdirSync(join(folder, 'exported')).sort()).toEqual([
      'manifest.json',
      'model.layers.0.mlp.weight.bin',
      'model.layers.2.mlp.weight.bin',
    ]);
    for (const layer of [0, 2]) {
      const [weight] = layerTensors(layer);
      const bytes = readFileSync(join(folder, 'exported', `model.layers.${layer}.mlp.weight.bin`));
      expect(hex(bytes)).toBe(hex(weight?.bytes ?? new Uint8Array()));
    }
    await page.getByRole('button', { name: 'Copy Path' }).click();
    await page.getByText('Copied the path').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(join(folder, 'exported'));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('says where it may not write', async () => {
    const page = await open(whole);
    await runCommand(page, 'convert');
    await page.getByLabel('File to write').fill('/root-of-nothing/out.safetensors');
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await page.getByText('Nothing was written').waitFor();
    await page.getByText('Choose a place inside the folders this program may use.').waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'axe finds nothing in its dialogs in the %s theme',
    { timeout: 240_000 },
    async (colorScheme) => {
      const page = await open(broken, colorScheme);
      await page.getByRole('button', { name: /3 shards/ }).click();
      await page.getByRole('option').first().click();
      expect(await violations(page, colorScheme)).toEqual([]);
      await runCommand(page, 'export matching');
      expect(await violations(page, colorScheme)).toEqual([]);
      await page.getByRole('button', { name: 'Choose…' }).click();
      await page.getByRole('option').first().waitFor();
      expect(await violations(page, colorScheme)).toEqual([]);
      await page.keyboard.press('Escape');
      await runCommand(page, 'convert');
      await page.getByLabel('Shards of at most').check();
      await page.getByLabel('Most bytes of a shard').fill('wrong');
      await page.getByRole('button', { name: /^Metadata/ }).click();
      await page.getByRole('button', { name: 'Add Entry' }).click();
      expect(await violations(page, colorScheme)).toEqual([]);
      await page.getByLabel('One file').check();
      await page.getByLabel('Only tensors that match').fill('*.0.*');
      const target = join(folder, `axe-${colorScheme}.safetensors`);
      await page.getByLabel('File to write').fill(target);
      await page.getByRole('button', { name: 'Convert', exact: true }).click();
      await page.getByRole('button', { name: 'Done' }).waitFor();
      expect(await violations(page, colorScheme)).toEqual([]);
      await page.getByRole('button', { name: 'Done' }).click();
      await runCommand(page, 'convert');
      await page.getByLabel('Only tensors that match').fill('*.0.*');
      await page.getByLabel('File to write').fill(target);
      await page.getByRole('button', { name: 'Convert', exact: true }).click();
      await page.getByText('Replace what is there?').waitFor();
      expect(await violations(page, colorScheme)).toEqual([]);
    },
  );
});
