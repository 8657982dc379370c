import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { inspect } from '../src/index.ts';
import { createInspectorService } from '../src/node/inspector-service.ts';
import { createScanEngine, type ScanEngine } from '../src/node/scan/scan-engine.ts';
import { runJson } from './cli/support/run-loupe.ts';

/** What every way in must find in each damaged fixture (FIELD-CASES and FORMATS 9). */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'b01_dup.safetensors': ['duplicate-name'],
  'b02_trailing.safetensors': ['trailing-bytes'],
  'b03_trunc.safetensors': ['truncated'],
  'b04_lfs.safetensors': ['git-lfs-pointer'],
  'b06_meta_only.safetensors': ['header-not-json'],
  'html_page.bin': ['html-page'],
  'lfs_pointer.bin': ['git-lfs-pointer'],
  'st_dup_key.safetensors': ['duplicate-name', 'shared-range'],
  'st_hole.safetensors': ['gap'],
  'st_overlap.safetensors': ['overlap'],
  'st_trailing.safetensors': ['trailing-bytes'],
};
const folder = new URL('./fixtures/bad/', import.meta.url);

let engine: ScanEngine;
beforeAll(() => {
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')), threads: 1 });
});
afterAll(() => engine.destroy());

describe('every damaged fixture gives the same findings by library, service and command line', () => {
  it('and none is left out here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(Object.entries(EXPECTED))('%s', async (name, codes) => {
    const path = fileURLToPath(new URL(name, folder));
    const checkpoint = await inspect(path);
    expect(checkpoint.findings.map(({ code }) => code)).toEqual(codes);

    const peer = { page: { readPageFile: () => Promise.reject(new Error('no page')) }, emit: () => undefined };
    const service = createInspectorService({ engine, samplePath: '', peer });
    const { sessionId, summary } = await service.api.open({ kind: 'path', path });
    const { rows } = await service.api.findings({ sessionId, start: 0, count: 100 });
    expect(rows).toEqual(checkpoint.findings);
    expect(summary).toEqual(checkpoint.summary);
    service.dispose();
    checkpoint.close();

    const { value } = await runJson('verify', path);
    expect(value).toMatchObject({ verdict: summary.verdict, findings: codes.map((code) => ({ code })) });
  });
});
