import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../src/core/checkpoint.ts';
import { nameOfFile } from '../../../src/core/writing/file-names.ts';
import { type ExportManyOptions, exportMany } from '../../../src/node/writing/export-many.ts';
import { entry, fileBytes, header, member, octets } from '../../support/safetensors-bytes.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const close = closeAfterEach();
const HOSTILE = [
  '../../evil',
  '/etc/passwd',
  'C:\\x',
  'con',
  'a/b',
  'A/B',
  '',
  '.',
  '-rf',
  'manifest',
  'x\u0000y',
  '😀',
];

const opened = async (names: readonly string[]): Promise<Checkpoint> => {
  const members = names.map((name, k) => octets(name, k, k + 1));
  const data = Uint8Array.from({ length: names.length }, (_, k) => k);
  return close(await inspectSource(memorySource(fileBytes(header(...members), data))));
};

const many = (checkpoint: Checkpoint, folder: string, options: Partial<ExportManyOptions> = {}) =>
  exportMany({ checkpoint, options: { include: '*', format: 'raw', folder, ...options } });

interface Manifest {
  readonly tensors: readonly { readonly name: string; readonly file: string; readonly bytes: number }[];
}

describe('exporting many', () => {
  it('writes every name inside the folder, and the manifest and each file name lead back to it', async () => {
    const checkpoint = await opened(HOSTILE);
    const outside = folders.make();
    const folder = join(outside, 'into');
    const { written, manifest } = await many(checkpoint, folder);
    expect(readdirSync(outside)).toEqual(['into']);
    expect(readdirSync(folder)).toHaveLength(HOSTILE.length + 1);
    expect(manifest).toBe(join(folder, 'manifest.json'));
    const { tensors } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
    expect(tensors.map(({ name }) => name)).toEqual(HOSTILE);
    tensors.forEach(({ name, file, bytes }, index) => {
      expect(nameOfFile(file.replace(/\.bin$/, ''))).toBe(name);
      expect(readFileSync(join(folder, file))).toEqual(Buffer.from([index]));
      expect([bytes, written[index]?.path]).toEqual([1, join(folder, file)]);
    });
    const lower = tensors.map(({ file }) => file.toLowerCase());
    expect(new Set(lower).size).toBe(lower.length);
  });

  it('replaces nothing unasked, and nothing is written when one name is taken', async () => {
    const checkpoint = await opened(['a', 'b']);
    const folder = folders.make();
    await writeFile(join(folder, 'b.bin'), 'old');
    await expect(many(checkpoint, folder)).rejects.toMatchObject({ code: 'file-exists' });
    expect(readdirSync(folder)).toEqual(['b.bin']);
    await many(checkpoint, folder, { overwrite: true });
    expect(readdirSync(folder).sort()).toEqual(['a.bin', 'b.bin', 'manifest.json']);
    expect(readFileSync(join(folder, 'b.bin'))).toEqual(Buffer.from([1]));
  });

  it('does not follow links that lie in a name’s place', async () => {
    const checkpoint = await opened(['a']);
    const [folder, elsewhere] = [folders.make(), folders.make()];
    const victim = join(elsewhere, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, join(folder, 'a.bin'));
    await symlink(join(elsewhere, 'made'), join(folder, 'manifest.json'));
    await expect(many(checkpoint, folder)).rejects.toMatchObject({ code: 'file-exists' });
    await many(checkpoint, folder, { overwrite: true });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(readdirSync(elsewhere)).toEqual(['victim']);
    expect(readFileSync(join(folder, 'a.bin'))).toEqual(Buffer.from([0]));
  });

  it('refuses before writing what cannot be exported, and leaves no folder it made', async () => {
    const folder = join(folders.make(), 'into');
    const cut = close(await inspectSource(memorySource(fileBytes(header(octets('a', 0, 2), octets('cut', 2, 9)), 4))));
    await expect(many(cut, folder)).rejects.toMatchObject({ code: 'unreadable-tensor' });
    const excluded = many(await opened(['a']), folder, { exclude: ['x', 'a'] });
    await expect(excluded).rejects.toThrow('no tensor matches "*" and is not excluded');
    await expect(many(await opened(['a']), folder, { include: 'b' })).rejects.toMatchObject({ code: 'no-such-tensor' });
    await mkdir(join(folder, 'a.bin'), { recursive: true });
    await expect(many(await opened(['a']), folder, { overwrite: true })).rejects.toMatchObject({
      code: 'write-failed',
    });
    expect(readdirSync(folder)).toEqual(['a.bin']);
  });

  it('tells once for all tensors what float32 or npy could not hold', async () => {
    const doubles = Float64Array.of(0.1, 1e300, 1, 2);
    const bytes = fileBytes(
      header(
        member('x', entry('F64', '[2]', '[0,16]')),
        member('y', entry('F64', '[2]', '[16,32]')),
        member('z', entry('BF16', '[1]', '[32,34]')),
      ),
      Buffer.concat([new Uint8Array(doubles.buffer), new Uint8Array(2)]),
    );
    const checkpoint = close(await inspectSource(memorySource(bytes)));
    const { written, notes } = await many(checkpoint, join(folders.make(), 'f32'), { format: 'f32' });
    expect(written.map(({ precision }) => precision)).toEqual([
      { values: 2, inexact: 2, overflowed: 1 },
      { values: 2, inexact: 0, overflowed: 0 },
      undefined,
    ]);
    expect(notes).toEqual(['"x": 2 of 2 numbers are not exact in float32; 1 of them became infinite']);
    const npy = await many(checkpoint, join(folders.make(), 'npy'), { format: 'npy' });
    expect(npy.notes).toEqual(['"z": npy has no name for BF16: written as float32']);
  });

  it('reports progress and can be cancelled, leaving nothing', async () => {
    const checkpoint = await opened(['a', 'b', 'c']);
    const folder = join(folders.make(), 'into');
    const controller = new AbortController();
    const told: number[][] = [];
    const exporting = exportMany({
      checkpoint,
      options: { include: '*', format: 'f32', folder },
      signal: controller.signal,
      onProgress: (...progress) => {
        told.push(progress);
        if (told.length === 2) {
          controller.abort();
        }
      },
    });
    await expect(exporting).rejects.toMatchObject({ code: 'cancelled' });
    expect(told).toEqual([
      [4, 12],
      [8, 12],
    ]);
    expect(existsSync(folder)).toBe(false);
  });
});
