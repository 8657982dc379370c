import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { dense, stateDict, storage } from '../../support/torch-bytes.ts';
import { type CraftedMember, zipBytes } from '../../support/zip-bytes.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

const folders = temporaryFolders();
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
    // The odd layer's seven matrices besides.
    expect(new Set(findings.map((found) => found.code))).toEqual(
      new Set(['all-zero', 'constant', 'has-nan', 'layer-outlier']),
    );
    expect(findings).toHaveLength(10);
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

  it('takes the SHA-256 out of a Git LFS pointer, and is about the file named, not about its set', async () => {
    const pointer = join(folders.make(), 'pointer');
    const shard = fixture('good/sharded/model-00002-of-00002.safetensors');
    const right = createHash('sha256')
      .update(await readFile(shard))
      .digest('hex');
    const { size } = await stat(shard);
    await writeFile(pointer, `version https://git-lfs.github.com/spec/v1\noid sha256:${right}\nsize ${size}\n`);
    expect(await runInProcess('verify', shard, '--sha256', pointer)).toMatchObject({ code: 0, findings: [] });
    expect(await runInProcess('verify', fixture('good/sharded'), '--sha256', pointer)).toMatchObject({ code: 2 });
    expect(await runInProcess('verify', shard, SAMPLE, '--sha256', right)).toMatchObject({ code: 2 });
  });

  it('compares every file of a model with the SHA-256 beside it, and says where there is none', async () => {
    const folder = folders.make();
    await cp(fixture('good/sharded'), folder, { recursive: true });
    const [first, second] = [1, 2].map((number) => join(folder, `model-0000${number}-of-00002.safetensors`));
    const hash = async (path = ''): Promise<string> =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
    await writeFile(`${first}.sha256`, `${await hash(first)}  ${basename(first ?? '')}\n`);
    const some = await runInProcess('verify', folder, '--checksums');
    expect(some).toMatchObject({ code: 3, findings: [{ code: 'checksum-not-found' }] });
    expect(some.stdout).toContain(`${first}: SHA-256 as model-00001-of-00002.safetensors.sha256 says`);
    await writeFile(join(folder, 'SHA256SUMS'), `${await hash(second)} *${basename(second ?? '')}\n`);
    const { code, stdout } = await runInProcess('verify', folder, '--checksums', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).files[0].hashes).toMatchObject([{ from: /sha256$/ }, { from: 'SHA256SUMS' }]);
    await writeFile(`${first}.sha256`, `${'0'.repeat(64)}\n`);
    const wrong = await runInProcess('verify', folder, '--checksums');
    expect(wrong).toMatchObject({ code: 4, findings: [{ code: 'sha256-mismatch', file: basename(first ?? '') }] });
  });
});
