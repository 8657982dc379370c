import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createInspectorService } from '../../src/node/inspector-service.ts';
import { createScanEngine, type ScanEngine } from '../../src/node/scan/scan-engine.ts';
import type { BrowserContext } from '../../src/server/browser-api.ts';
import { f32, writeSafetensors } from '../e2e/support/make-safetensors.ts';
import { openPage, serversForTests } from './servers-for-tests.ts';

const { base, start } = serversForTests();
const INDEX = 'model.safetensors.index.json';
const SHARDS = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const;

let engine: ScanEngine;
beforeAll(() => {
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')), threads: 1 });
  for (const [file, name] of [
    ['out/secret.safetensors', 'secret'],
    ['models/plain.safetensors', 'plain'],
  ] as const) {
    writeSafetensors(join(base(), file), [{ name, dtype: 'F32', shape: [1], bytes: f32(42) }]);
  }
});
afterAll(() => engine.destroy());

/** A folder of models inside the root whose entries are links (from, to). */
const folderOf = (name: string, links: Readonly<Record<string, string>>): string => {
  const folder = join(base(), 'models', name);
  mkdirSync(folder);
  for (const [from, to] of Object.entries(links)) {
    symlinkSync(join(base(), to), join(folder, from));
  }
  return folder;
};

const realService: BrowserContext['makeService'] = (peer, guard) =>
  createInspectorService({ engine, samplePath: join(base(), 'out/secret.safetensors'), peer, guard });

// No test may learn that a secret holds 42 under the name "secret".
describe('a model inside the roots whose files are links', () => {
  it('opens no folder by a file that really lies outside', async () => {
    const { api } = await openPage((await start({ makeService: realService })).server);
    const outside = folderOf('outside', { 'model.safetensors': 'out/secret.safetensors' });
    await expect(api.open({ kind: 'path', path: outside })).rejects.toMatchObject({ code: 'not-permitted' });
    const inside = folderOf('inside', { 'model.safetensors': 'models/plain.safetensors' });
    expect((await api.open({ kind: 'path', path: inside })).summary.tensors).toBe(1);
  });

  it('opens no index that really lies outside', async () => {
    const { api } = await openPage((await start({ makeService: realService })).server);
    writeFileSync(join(base(), 'out/index.json'), '{"weight_map":{"secret":"x.safetensors"}}');
    const folder = folderOf('index-outside', { [INDEX]: 'out/index.json' });
    await expect(api.open({ kind: 'path', path: folder })).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it('leaves out the shards that lie outside, and says why', async () => {
    const { api } = await openPage((await start({ makeService: realService })).server);
    const folder = folderOf('sharded', {
      [SHARDS[0]]: 'models/plain.safetensors',
      [SHARDS[1]]: 'out/secret.safetensors',
    });
    writeFileSync(join(folder, INDEX), JSON.stringify({ weight_map: { plain: SHARDS[0], listed: SHARDS[1] } }));
    const { sessionId, summary } = await api.open({ kind: 'path', path: join(folder, INDEX) });
    expect(summary.files.map(({ path }) => path)).toEqual([join(folder, SHARDS[0])]);
    const { rows } = await api.tensors({ sessionId, start: 0, count: 10 });
    expect(rows.map(({ name, layout }) => [name, layout])).toEqual([
      ['plain', 'contiguous'],
      ['listed', 'absent'],
    ]);
    const findings = (await api.findings({ sessionId, start: 0, count: 10 })).rows;
    expect(findings.map(({ code }) => code)).toContain('shard-missing');
    expect(JSON.stringify(findings)).toContain('outside the folders');
    await expect(api.values({ sessionId, tensorId: 1, limit: 1 })).rejects.toMatchObject({ code: 'unreadable-tensor' });
  });

  it('does so too for numbered shards without an index', async () => {
    const { api } = await openPage((await start({ makeService: realService })).server);
    const folder = folderOf('numbered', {
      [SHARDS[0]]: 'models/plain.safetensors',
      [SHARDS[1]]: 'out/secret.safetensors',
    });
    const { sessionId } = await api.open({ kind: 'path', path: folder });
    const { rows } = await api.tensors({ sessionId, start: 0, count: 10 });
    expect(rows.map(({ name }) => name)).toEqual(['plain']);
  });

  it('opens the sample wherever it lies: it is ours', async () => {
    const { api } = await openPage((await start({ makeService: realService })).server);
    expect((await api.open({ kind: 'sample' })).summary.tensors).toBe(1);
    expect(base().startsWith(realpathSync(tmpdir()))).toBe(true);
  });
});
