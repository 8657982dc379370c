import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { open } from '../src/index.ts';
import { temporaryFolders } from './support/temporary-folder.ts';

const folders = temporaryFolders();
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The files that the example names, where there are such. */
const FILES: Readonly<Record<string, string>> = {
  'model.safetensors': here('../samples/sample.safetensors'),
  'cut-off.safetensors': here('fixtures/bad/b03_trunc.safetensors'),
};

it('the library’s example in the README runs, and does what it says', async () => {
  const readme = readFileSync(here('../README.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = folders.make();
  const code = example
    .replace("'tensor-loupe'", JSON.stringify(here('../src/index.ts')))
    .replace(/'([\w-]+\.safetensors)'/g, (_all, name: string) => JSON.stringify(FILES[name] ?? join(folder, name)));
  const script = join(folder, 'example.ts');
  writeFileSync(script, code);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ pathToFileURL(script).href);
    expect(log.mock.calls[0]).toEqual(['BF16', [2, 64], 128, expect.any(Number), expect.any(Number), 0]);
    expect(log.mock.calls.slice(1).map(([code]) => code)).toContain('truncated');
  } finally {
    log.mockRestore();
  }
  const written = join(folder, 'small.safetensors');
  expect(existsSync(written)).toBe(true);
  const checkpoint = await open(written);
  expect(checkpoint.table.rows().map(({ name, dtype }) => [name, dtype])).toEqual([
    ['bias', 'F32'],
    ['lm_head.weight', 'BF16'],
  ]);
  checkpoint.close();
});
