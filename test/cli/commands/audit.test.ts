import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { safetensorsBytes } from '../../e2e/support/make-safetensors.ts';
import { llamaLike } from '../../support/healthy-models.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { fixture, runLoupe } from '../support/run-loupe.ts';

const folders = temporaryFolders();
const SAMPLE = fileURLToPath(new URL('../../../samples/sample.safetensors', import.meta.url));

describe('loupe audit', () => {
  it('writes the report that its name asks for, whole', async () => {
    const folder = folders.make();
    for (const [name, begins] of [
      ['a.html', '<!doctype html>'],
      ['a.HTM', '<!doctype html>'],
      ['a.md', '# Audit of '],
      ['a.json', '{"program":"Tensor Loupe '],
    ] as const) {
      const { code, stdout, findings } = await runInProcess('audit', SAMPLE, '-o', join(folder, name));
      expect(code).toBe(0);
      expect(stdout).toContain('8 warnings');
      expect(findings).toHaveLength(10);
      expect(readFileSync(join(folder, name), 'utf8').startsWith(begins)).toBe(true);
    }
    expect(readdirSync(folder).sort()).toEqual(['a.HTM', 'a.html', 'a.json', 'a.md']);
  });

  it('works in the built program, page and policy together', async () => {
    const path = join(folders.make(), 'report.html');
    expect(await runLoupe('audit', SAMPLE, '-o', path)).toMatchObject({ code: 0 });
    const page = readFileSync(path, 'utf8');
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
    expect(page).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(page).toContain('model.layers.4.mlp.gate_proj.weight');
  });

  it('says everything in JSON', async () => {
    const path = join(folders.make(), 'report.json');
    const { code, stdout } = await runInProcess('audit', SAMPLE, '-o', path, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'warnings',
      findings: { length: 10 },
      written: [{ name: 'json', path, bytes: readFileSync(path).byteLength }],
    });
    const report = JSON.parse(readFileSync(path, 'utf8'));
    expect(report).toMatchObject({ verdict: 'warnings', format: 'safetensors', tensors: { length: 59 } });
    expect(report.profiles.filter(({ outliers }: { outliers: number[] }) => outliers.length > 0)).toHaveLength(7);
    expect(report.folders[0]).toMatchObject({ folder: null, tensors: 59, floats: { nan: 1 } });
    expect(report.odd.map(({ name }: { name: string }) => name)).toContain('model.layers.2.mlp.down_proj.weight');
  });

  it('exits as verify does', async () => {
    const out = join(folders.make(), 'r.md');
    const audit = async (file: string, ...more: string[]) =>
      (await runInProcess('audit', file, '-o', out, '--force', ...more)).code;
    expect(await audit(SAMPLE, '--strict')).toBe(1);
    expect(await audit(fixture('bad/b03_trunc.safetensors'))).toBe(4);
    expect(await audit(fixture('bad/b04_lfs.safetensors'))).toBe(3);
    expect(await audit(fixture('pickle/pickle_calls_print.pkl'))).toBe(5);
    expect(readFileSync(out, 'utf8')).toContain('Dangerous');
    expect(await audit(join(out, 'absent'))).toBe(2);
  });

  it('replaces nothing unasked, and wants a report’s name', async () => {
    const path = join(folders.make(), 'r.md');
    writeFileSync(path, 'mine');
    expect(await runInProcess('audit', SAMPLE, '-o', path)).toMatchObject({ code: 2 });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(await runInProcess('audit', SAMPLE, '-o', `${path}.txt`)).toMatchObject({
      code: 2,
      stderr: /\.html, \.md or \.json/,
    });
    expect(await runInProcess('audit', SAMPLE)).toMatchObject({ code: 2 });
  });

  it('compares checksums beside the file, and misses none', async () => {
    const folder = folders.make();
    const model = join(folder, 'model.safetensors');
    writeFileSync(model, safetensorsBytes(llamaLike()));
    expect((await runInProcess('audit', model, '-o', join(folder, 'a.md'))).code).toBe(0);
    writeFileSync(`${model}.sha256`, `${'0'.repeat(64)}\n`);
    const { code, findings } = await runInProcess('audit', model, '-o', join(folder, 'b.md'));
    expect(code).toBe(4);
    expect(findings.map((found) => found.code)).toContain('sha256-mismatch');
    expect(readFileSync(join(folder, 'b.md'), 'utf8')).toMatch(/## SHA-256[\s\S]*\*\*not\*\* `0{64}`/);
  });
});
