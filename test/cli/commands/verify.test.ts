import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

const SAMPLE = fileURLToPath(new URL('../../../samples/sample.safetensors', import.meta.url));

describe('loupe verify', () => {
  it('exits by the worst verdict of all files', async () => {
    expect((await runLoupe('verify', fixture('good/all_dtypes.safetensors'))).code).toBe(0);
    expect((await runLoupe('verify', fixture('bad/b04_lfs.safetensors'))).code).toBe(3);
    expect((await runLoupe('verify', fixture('bad/b02_trailing.safetensors'))).code).toBe(4);
    const both = await runJson('verify', fixture('bad/b02_trailing.safetensors'), fixture('bad/b04_lfs.safetensors'));
    expect(both).toMatchObject({
      code: 4,
      value: {
        verdict: 'damaged',
        findings: [
          { code: 'trailing-bytes', severity: 'error', file: 'b02_trailing.safetensors', offset: 79 },
          { code: 'git-lfs-pointer' },
        ],
        files: [{ verdict: 'damaged' }, { verdict: 'incomplete' }],
      },
    });
  });

  it('scans values when asked; warnings fail only --strict', async () => {
    const plain = await runJson('verify', SAMPLE);
    expect(plain).toMatchObject({ code: 0, value: { verdict: 'clean', findings: [] } });
    const { code, value } = await runJson('verify', SAMPLE, '--values');
    expect(code).toBe(0);
    const { findings } = value as { findings: { code: string }[] };
    expect(findings.map((found) => found.code).sort()).toEqual(['all-zero', 'constant', 'has-nan']);
    expect((await runLoupe('verify', SAMPLE, '--values', '--strict')).code).toBe(1);
  });

  it('checks a SHA-256', async () => {
    const right = createHash('sha256')
      .update(await readFile(SAMPLE))
      .digest('hex');
    expect((await runLoupe('verify', SAMPLE, '--sha256', right.toUpperCase())).code).toBe(0);
    const wrong = await runJson('verify', SAMPLE, '--sha256', '0'.repeat(64));
    expect(wrong).toMatchObject({ code: 4, value: { findings: [{ code: 'sha256-mismatch' }] } });
    expect((await runLoupe('verify', SAMPLE, '--sha256', 'abc')).code).toBe(2);
  });
});
