import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileBytes, floats, header, octets } from '../../support/safetensors-bytes.ts';
import { COMMAND, fixture, runJson, runLoupe } from '../support/run-loupe.ts';

const ALL = fixture('good/all_dtypes.safetensors');
/** Large enough that writing it takes a while, and sparse, so that making it does not. */
const SPARSE = 3_000_000_000;

const SHARDED = fixture('good/sharded');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-convert-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file whose bytes are as the reference orders them. */
const canonical = async (): Promise<string> => {
  const path = join(folder, 'canonical.safetensors');
  const data = Uint8Array.from({ length: 21 }, (_, index) => index);
  const head = header(
    '"__metadata__":{"format":"pt"}',
    floats('b.w', 0, 16),
    octets('a', 16, 19),
    octets('b.b', 19, 21),
  );
  await writeFile(path, fileBytes(head.padEnd(Math.ceil(head.length / 8) * 8), data));
  return path;
};

describe('loupe convert', () => {
  it('joins shards into one file, with the same tensors', async () => {
    const path = join(folder, 'one.safetensors');
    const { code, value } = await runJson('convert', SHARDED, '-o', path);
    expect(code).toBe(0);
    expect(value).toMatchObject({
      written: [{ name: 'one.safetensors', path, bytes: readFileSync(path).length }],
      index: null,
      notes: [],
    });
    const lines = async (file: string): Promise<string[]> => (await runLoupe('dump', file)).stdout.split('\n').sort();
    expect(await lines(path)).toEqual(await lines(SHARDED));
    expect((await runLoupe('verify', path)).code).toBe(0);
  });

  it.each([
    ['a page instead of a shard', '<!DOCTYPE html><html></html>'],
    ['a shard that is a pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n'],
  ])('never drops without a word what is not listed anywhere: %s', async (name, content) => {
    const model = join(folder, `lost ${name}`);
    await mkdir(model);
    await writeFile(join(model, 'm-00001-of-00002.safetensors'), fileBytes(header(octets('a', 0, 1)), 1));
    await writeFile(join(model, 'm-00002-of-00002.safetensors'), content);
    const out = join(folder, 'lost.safetensors');
    const { code, stderr } = await runLoupe('convert', model, '-o', out);
    expect([code, stderr]).toEqual([4, expect.stringContaining('What is lost is not known')]);
    expect(existsSync(out)).toBe(false);
    expect((await runLoupe('convert', model, '-o', out, '--include', 'a')).code).toBe(0);
    await rm(out);
  });

  it('spreads over shards with an index, and back is the identity', async () => {
    const path = await canonical();
    const model = join(folder, 'model');
    const { code, value } = await runJson('convert', path, '-o', model, '--max-shard-size', '16B');
    expect(code).toBe(0);
    expect(value).toEqual({
      written: [
        expect.objectContaining({ name: 'model-00001-of-00002.safetensors', tensors: 1 }),
        expect.objectContaining({ name: 'model-00002-of-00002.safetensors', tensors: 2 }),
      ],
      index: join(model, 'model.safetensors.index.json'),
      notes: [],
    });
    expect((await runLoupe('verify', model)).code).toBe(0);
    const back = join(folder, 'back.safetensors');
    expect((await runLoupe('convert', model, '-o', back)).code).toBe(0);
    expect(readFileSync(back).equals(readFileSync(path))).toBe(true);
  });

  it('keeps every dtype and bit, and filters by any number of globs', async () => {
    const path = join(folder, 'all.safetensors');
    expect((await runLoupe('convert', ALL, '-o', path)).code).toBe(0);
    const names = async (file: string): Promise<string[]> =>
      ((await runJson('tensors', file)).value as { name: string }[]).map(({ name }) => name).sort();
    expect(await names(path)).toEqual(await names(ALL));
    const some = join(folder, 'some.safetensors');
    const globs = ['--include', 'b*', '--include', 'i64', '--exclude', 'bool'];
    expect((await runLoupe('convert', ALL, '-o', some, ...globs)).code).toBe(0);
    expect(await names(some)).toEqual((await names(ALL)).filter((name) => /^(b|i64$)/.test(name) && name !== 'bool'));
  });

  it('sets metadata, keeping what is there', async () => {
    const path = join(folder, 'meta.safetensors');
    const pairs = ['--metadata', 'a=b=c', '--metadata', 'empty='];
    expect((await runLoupe('convert', await canonical(), '-o', path, ...pairs)).code).toBe(0);
    expect(await runJson('info', path)).toMatchObject({ value: { metadata: { a: 'b=c', empty: '', format: 'pt' } } });
  });

  it('replaces nothing unless forced', async () => {
    const path = join(folder, 'taken.safetensors');
    await writeFile(path, 'old');
    const refused = await runLoupe('convert', ALL, '-o', path);
    expect([refused.code, readFileSync(path, 'utf8')]).toEqual([2, 'old']);
    expect(refused.stderr).toContain('exists already');
    expect((await runLoupe('convert', ALL, '-o', path, '--force')).code).toBe(0);
  });

  it('exits with 4 for damage it is not told to leave out, and writes nothing', async () => {
    const path = join(folder, 'cut.safetensors');
    const bad = fixture('bad/b03_trunc.safetensors');
    const refused = await runLoupe('convert', bad, '-o', path);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('tensor "b" cannot be read');
    expect(existsSync(path)).toBe(false);
    expect((await runLoupe('convert', bad, '-o', path, '--exclude', 'b')).code).toBe(0);
    expect((await runLoupe('verify', path)).code).toBe(0);
    const twice = await runLoupe('convert', fixture('bad/b01_dup.safetensors'), '-o', join(folder, 'dup.safetensors'));
    expect([twice.code, twice.stderr]).toEqual([4, expect.stringContaining('--exclude')]);
    expect((await runLoupe('convert', fixture('bad/html_page.bin'), '-o', join(folder, 'page.safetensors'))).code).toBe(
      3,
    );
  });

  it.each([
    [['--max-shard-size', '5XB']],
    [['--max-shard-size', '0']],
    [['--metadata', 'novalue']],
    [['--include', 'no-such-tensor']],
    [['--max-shard-size', '5GB']],
  ])('exits with 2 for %j', async (options) => {
    const { code, stderr } = await runLoupe('convert', ALL, '-o', join(folder, 'usage.safetensors'), ...options);
    expect([code, stderr === '']).toEqual([2, false]);
    expect(readdirSync(folder)).not.toContain('usage.safetensors');
  });

  it.skipIf(process.platform === 'win32')(
    'ended by Ctrl+C tidies up; killed, it leaves the old file as it was and the next run tidies up',
    async () => {
      const into = join(folder, 'interrupted');
      await mkdir(into);
      const output = join(into, 'out.safetensors');
      await writeFile(output, 'old');
      const big = join(folder, 'big.safetensors');
      await writeFile(big, fileBytes(header(octets('a', 0, SPARSE)), 0));
      await truncate(big, (await stat(big)).size + SPARSE);
      const during = async (signal: NodeJS.Signals) => {
        const child = spawn(process.execPath, [COMMAND, 'convert', big, '-o', output, '--force'], { stdio: 'ignore' });
        const ended = once(child, 'exit');
        while (readdirSync(into).length === 1) {
          await pause(5);
        }
        child.kill(signal);
        return ended;
      };
      expect(await during('SIGINT')).toEqual([3, null]);
      expect(readdirSync(into)).toEqual(['out.safetensors']);
      expect(await during('SIGKILL')).toEqual([null, 'SIGKILL']);
      expect(readdirSync(into)).toHaveLength(2);
      expect(readFileSync(output, 'utf8')).toBe('old');
      expect((await runLoupe('convert', await canonical(), '-o', output, '--force')).code).toBe(0);
      expect(readdirSync(into)).toEqual(['out.safetensors']);
    },
  );
});
