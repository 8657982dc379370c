import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../../src/cli/selftest/craft.ts';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

const ALL = fixture('good/all_dtypes.safetensors');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-export-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('loupe export', () => {
  it('writes little-endian float32', async () => {
    const path = join(folder, 'bf16.f32');
    const { code, value } = await runJson('export', ALL, 'bf16', '-o', path);
    expect(code).toBe(0);
    expect(value).toEqual({ written: [{ name: 'bf16', path, bytes: 12 }] });
    const expected = Buffer.from(Float32Array.of(1, -3.140625, 9.183549615799121e-41).buffer);
    expect(await readFile(path)).toEqual(expected);
  });

  it('names the format by the output, keeps what is there, and leaves no half files', async () => {
    const path = join(folder, 'i64.npy');
    expect((await runLoupe('export', ALL, 'i64', '-o', path)).code).toBe(0);
    const bytes = await readFile(path);
    expect(bytes.toString('latin1', 0, 128)).toContain("'descr': '<i8', 'fortran_order': False, 'shape': (2,), ");
    expect(bytes.readBigInt64LE(128)).toBe(-(2n ** 63n));
    const again = await runLoupe('export', ALL, 'u64', '-o', path);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('exists already');
    expect(await readFile(path)).toEqual(bytes);
    expect((await runLoupe('export', ALL, 'u64', '-o', path, '--force')).code).toBe(0);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('says when npy cannot name a dtype, and refuses rather than guess', async () => {
    const path = join(folder, 'bf16.npy');
    const widened = await runLoupe('export', ALL, 'bf16', '-o', path);
    expect(widened.stderr).toContain('npy has no name for BF16: written as float32');
    expect((await runLoupe('export', ALL, 'bf16', '-o', join(folder, 'x.npy'), '--dtype', 'native')).code).toBe(2);
  });

  it('writes slices, csv and safetensors', async () => {
    const csv = join(folder, 'w.csv');
    await runLoupe('export', fixture('good/b12_f4.safetensors'), 'w', '-o', csv, '--slice', ':,:3');
    expect(await readFile(csv, 'utf8')).toBe('0,0.5,1\n-0,-0.5,-1\n');
    const single = join(folder, 'one.safetensors');
    expect((await runLoupe('export', ALL, 'q"\\\n\u0001', '-o', single)).code).toBe(0);
    expect(await runJson('tensors', single)).toMatchObject({
      code: 0,
      value: [{ name: 'q"\\\n\u0001', shape: [1], readable: true }],
    });
    expect((await runLoupe('verify', single)).code).toBe(0);
  });

  it('writes all that match into a folder, under safe names with a manifest', async () => {
    const path = join(folder, 'names.safetensors');
    const names = ['../../evil', 'a/b', 'A/B', 'con', 'a.weight'];
    await writeFile(
      path,
      craftFile(headerOf(...names.map((name, k) => entry(name, 'U8', '[1]', `[${k},${k + 1}]`))), names.length),
    );
    const into = join(folder, 'many');
    const { code, value } = await runJson('export', path, '--include', '**', '-o', into);
    expect(code).toBe(0);
    expect((value as { written: unknown[] }).written).toHaveLength(5);
    const files = await readdir(into);
    expect(files.sort()).toEqual([
      '%2E.%2F..%2Fevil.f32',
      '%63on.f32',
      'A%2FB~2.f32',
      'a%2Fb.f32',
      'a.weight.f32',
      'manifest.json',
    ]);
    const manifest = JSON.parse(await readFile(join(into, 'manifest.json'), 'utf8')) as {
      tensors: { name: string; file: string }[];
    };
    expect(manifest.tensors.find(({ file }) => file === '%2E.%2F..%2Fevil.f32')?.name).toBe('../../evil');
  });

  it('refuses a damaged tensor with 4 and writes nothing', async () => {
    const path = join(folder, 'cut.f32');
    expect((await runLoupe('export', fixture('bad/b03_trunc.safetensors'), 'b', '-o', path)).code).toBe(4);
    expect(await readdir(folder)).not.toContain('cut.f32');
  });

  it('tells what float32 could not hold', async () => {
    const path = join(folder, 'doubles.safetensors');
    const doubles = new Uint8Array(Float64Array.of(0.1, 1e300, 1).buffer);
    await writeFile(path, craftFile(headerOf(entry('d', 'F64', '[3]', '[0,24]')), doubles));
    const out = join(folder, 'doubles.f32');
    const { code, stderr } = await runLoupe('export', path, 'd', '-o', out);
    expect(code).toBe(0);
    expect(stderr).toContain('tensor "d": 2 of 3 numbers are not exact in float32; 1 of them became infinite');
    expect((await runJson('export', path, 'd', '-o', out, '--force')).value).toEqual({
      written: [{ name: 'd', path: out, bytes: 12, precision: { values: 3, inexact: 2, overflowed: 1 } }],
    });
  });

  it('writes all or nothing into a folder', async () => {
    const into = join(folder, 'none');
    const cut = await runLoupe('export', fixture('bad/b03_trunc.safetensors'), '--include', '*', '-o', into);
    expect(cut.code).toBe(4);
    expect(await readdir(folder)).not.toContain('none');
    expect((await runLoupe('export', ALL, '--include', 'zzz', '-o', into)).code).toBe(2);
  });
});
