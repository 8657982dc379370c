import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFile, checksumBeside, checksumGiven } from '../../../src/node/audit/checksums.ts';
import { inlineEngine } from '../../../src/node/scan/inline-engine.ts';
import { TaskControl } from '../../../src/node/scan/task-control.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const BYTES = Uint8Array.from({ length: 3_000_000 }, (_, i) => i * 7);
const RIGHT = createHash('sha256').update(BYTES).digest('hex');
const WRONG = '0'.repeat(64);

const model = (name = 'm.safetensors'): string => {
  const path = join(folders.make(), name);
  writeFileSync(path, BYTES);
  return path;
};

describe('the checksum beside a file', () => {
  it('is there in its own file, or in a list', async () => {
    const path = model();
    expect(await checksumBeside(path)).toBeUndefined();
    writeFileSync(join(path, '..', 'SHA256SUMS'), `${WRONG}  other\n${RIGHT}  m.safetensors\n`);
    expect(await checksumBeside(path)).toEqual({ sha256: RIGHT, from: 'SHA256SUMS' });
    writeFileSync(`${path}.sha256`, `${WRONG}\n`);
    expect(await checksumBeside(path)).toEqual({ sha256: WRONG, from: 'm.safetensors.sha256' });
  });

  it('is the name that the hub’s cache gives it', async () => {
    const folder = folders.make();
    mkdirSync(join(folder, 'blobs'));
    mkdirSync(join(folder, 'snapshots', 'abc'), { recursive: true });
    writeFileSync(join(folder, 'blobs', RIGHT), BYTES);
    const path = join(folder, 'snapshots', 'abc', 'model.safetensors');
    symlinkSync(join('..', '..', 'blobs', RIGHT), path);
    const expected = await checksumBeside(path);
    expect(expected).toMatchObject({ sha256: RIGHT });
    expect((await checkFile(inlineEngine(), path, expected ?? expect.fail())).finding).toBeUndefined();
  });

  it('is in the record of the hub’s downloader', async () => {
    const path = model();
    const records = join(path, '..', '.cache', 'huggingface', 'download');
    mkdirSync(records, { recursive: true });
    writeFileSync(join(records, 'm.safetensors.metadata'), `${'c'.repeat(40)}\n${RIGHT}\n1700000000.5\n`);
    expect(await checksumBeside(path)).toMatchObject({ sha256: RIGHT });
    // Of small files the tag is no SHA-256.
    writeFileSync(join(records, 'm.safetensors.metadata'), `${'c'.repeat(40)}\n${'d'.repeat(40)}\n1700000000.5\n`);
    expect(await checksumBeside(path)).toBeUndefined();
  });

  it('given: digits, or the path of a pointer', async () => {
    const path = model();
    const pointer = join(folders.make(), 'pointer');
    writeFileSync(pointer, `version https://git-lfs.github.com/spec/v1\noid sha256:${RIGHT}\nsize 3000000\n`);
    expect(await checksumGiven(`sha256:${RIGHT}`, path)).toMatchObject({ sha256: RIGHT });
    expect(await checksumGiven(pointer, path)).toEqual({ sha256: RIGHT, size: 3_000_000, from: 'pointer' });
    await expect(checksumGiven('abc', path)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('checking a file', () => {
  it('compares all of it', async () => {
    const path = model();
    const expected = { sha256: RIGHT, from: 'the one given' };
    expect(await checkFile(inlineEngine(), path, expected)).toEqual({
      path,
      sha256: RIGHT,
      expected,
      finding: undefined,
    });
    const wrong = await checkFile(inlineEngine(), path, { ...expected, sha256: WRONG, size: 17 });
    expect(wrong.finding).toMatchObject({ code: 'sha256-mismatch', severity: 'error', file: 'm.safetensors' });
    expect(wrong.finding?.message).toMatch(/3,000,000 bytes instead of 17$/);
    const size = await checkFile(inlineEngine(), path, { ...expected, size: 17 });
    expect(size.finding?.code).toBe('sha256-mismatch');
  });

  it('is given up when cancelled', async () => {
    const control = new TaskControl();
    control.cancel();
    await expect(checkFile(inlineEngine(), model(), { sha256: RIGHT, from: 'x' }, control)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
