import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { dense, stateDict, storage } from '../../support/torch-bytes.ts';
import { type CraftedMember, zipBytes } from '../../support/zip-bytes.ts';
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

  describe('of an archive', () => {
    const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
    const archive = async (data: Partial<CraftedMember>): Promise<string> => {
      const root = stateDict({ a: dense(storage('FloatStorage', '0', 4), [4]) });
      const path = join(await mkdtemp(join(tmpdir(), 'loupe-verify-')), 'm.pt');
      const members = [
        { name: 'm/data.pkl', content: root },
        { name: 'm/data/0', content: FOUR, ...data },
      ];
      await writeFile(path, zipBytes(...members));
      return path;
    };

    it('inflates what is deflated: a storage that gives fewer bytes than declared is damage', async () => {
      const short = await archive({ deflate: true, both: { bytes: 20 } });
      const { code, value } = await runJson('verify', short);
      expect(code).toBe(4);
      const { findings } = value as { findings: { code: string; severity: string; message: string }[] };
      expect(findings.map((found) => found.code)).toContain('zip-directory-disagrees');
      expect(findings.map(({ message }) => message).join('\n')).toContain('inflates to 16 bytes, 20 are declared');
      expect((await runLoupe('verify', await archive({ deflate: true }))).code).toBe(0);
    });

    it('compares every CRC with --values, or with --sha256', async () => {
      const wrong = await archive({ both: { crc32: 1 } });
      expect((await runLoupe('verify', wrong)).code).toBe(0);
      const expected = { code: 4, value: { verdict: 'damaged', findings: [{ code: 'zip-crc-mismatch' }] } };
      expect(await runJson('verify', wrong, '--values')).toMatchObject(expected);
      const right = createHash('sha256')
        .update(await readFile(wrong))
        .digest('hex');
      expect(await runJson('verify', wrong, '--sha256', right)).toMatchObject(expected);
      expect((await runLoupe('verify', await archive({}), '--values')).code).toBe(0);
    });
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
