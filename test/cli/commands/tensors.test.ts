import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../../src/cli/selftest/craft.ts';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('loupe tensors', () => {
  it('prints the rows of the contract in file order', async () => {
    const { code, value } = await runJson('tensors', fixture('bad/b03_trunc.safetensors'));
    expect(code).toBe(0);
    expect(value).toEqual([
      {
        id: 0,
        name: 'a',
        dtype: 'F32',
        shape: [4],
        parameters: 4,
        bytes: 16,
        file: 'b03_trunc.safetensors',
        offset: 118,
        contiguous: true,
        readable: true,
      },
      {
        id: 1,
        name: 'b',
        dtype: 'F32',
        shape: [4],
        parameters: 4,
        bytes: 16,
        file: 'b03_trunc.safetensors',
        offset: 134,
        contiguous: true,
        readable: false,
        problem: 'cut off: 7 of its 16 bytes are present',
      },
    ]);
  });

  it('prints `name DTYPE [d0 d1] n B @ offset`', async () => {
    const { stdout } = await runLoupe('tensors', fixture('good/b12_f4.safetensors'));
    expect(stdout.split('\n')[0]).toMatch(/^\S+ F4 \[2 8\] 8 B @ \d+$/);
  });

  it('takes a prefix', async () => {
    const { value } = await runJson('tensors', fixture('good/all_dtypes.safetensors'), 'e4m3');
    expect(value).toMatchObject([{ name: 'e4m3fnuz' }, { name: 'e4m3' }]);
    const none = await runJson('tensors', fixture('good/all_dtypes.safetensors'), 'nothing');
    expect(none).toEqual({ code: 0, value: [] });
  });

  it('lists both of two entries of one name', async () => {
    const { value } = await runJson('tensors', fixture('bad/b01_dup.safetensors'));
    expect(value).toMatchObject([
      { id: 0, name: 'a', shape: [4], readable: true },
      { id: 1, name: 'a', shape: [2, 2], readable: true },
    ]);
  });

  it('shows hostile names as visible escapes in text and exactly in JSON', async () => {
    const path = join(folder, 'hostile.safetensors');
    const names = ['\\u001b]52;c;aGk=\\u0007', 'a\\u202eb', 'tab\\tname', '\\u200bx', '<img src=x onerror=alert(1)>'];
    const members = names.map((name, index) => entry(name, 'U8', '[1]', `[${index},${index + 1}]`));
    await writeFile(path, craftFile(headerOf(...members), names.length));
    const { stdout, code } = await runLoupe('tensors', path);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/);
    expect(stdout).toContain('\\u{1b}]52;c;aGk=\\u{07} U8');
    expect(stdout).toContain('a\\u{202e}b');
    const { value } = await runJson('tensors', path);
    expect(value).toMatchObject([
      { name: '\u001b]52;c;aGk=\u0007' },
      { name: 'a\u202eb' },
      { name: 'tab\tname' },
      { name: '\u200bx' },
      { name: names[4] },
    ]);
  });

  it('gives integers beyond 2^53 as strings and what the file leaves open as null', async () => {
    const path = join(folder, 'odd.safetensors');
    const header = headerOf(entry('z', 'U8', '[0,9007199254740993]', '[0,0]'), '"n":{"dtype":"F32","shape":[1]}');
    await writeFile(path, craftFile(header, 0));
    const { value } = await runJson('tensors', path);
    expect(value).toMatchObject([
      { shape: [0, '9007199254740993'], parameters: 0, readable: true },
      { name: 'n', bytes: null, offset: null, readable: false },
    ]);
  });
});
