/** A file dropped into test/fixtures/good must give a clean verdict, one dropped into test/fixtures/bad must not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { violations } from '../../../fuzz/naive-check.mjs';
import { inspectBytes } from '../../support/inspect-bytes.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** Notes about other files, and indexes, which are no checkpoints by themselves. */
const BESIDE = /\.expected\.json$|\.index\.json$|^\./;

/** Files of a folder and its subfolders. */
const filesOf = (folder: string): string[] =>
  readdirSync(join(FIXTURES, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !BESIDE.test(file.name))
    .map((file) => join(file.parentPath, file.name));

const baseName = (path: string): string => path.slice(FIXTURES.length + 1);

describe.each(filesOf('good').map((path) => [baseName(path), path] as const))('%s', (name, path) => {
  it('is clean, and every tensor is readable', async () => {
    const bytes = readFileSync(path);
    const { findings, verdict, rows, content } = await inspectBytes(bytes, name);
    expect(findings).toEqual([]);
    expect(verdict).toBe('clean');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ readable, dtype }) => !readable && !dtype.startsWith('F6_'))).toEqual([]);
    expect(violations(bytes, content)).toEqual([]);
  });
});

describe.each(filesOf('bad').map((path) => [baseName(path), path] as const))('%s', (name, path) => {
  it('is not clean', async () => {
    const bytes = readFileSync(path);
    const { findings, verdict, content } = await inspectBytes(bytes, name);
    expect(findings.length).toBeGreaterThan(0);
    expect(['warnings', 'incomplete', 'damaged', 'dangerous']).toContain(verdict);
    // Files of another kind have no header to judge.
    expect(content.format === 'safetensors' ? violations(bytes, content) : []).toEqual([]);
  });
});
