import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../../src/cli/selftest/craft.ts';
import { parseHeader } from '../../../src/core/formats/safetensors/parse-header.ts';
import { oneRow, TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { inspectPath } from '../../../src/node/open-checkpoint.ts';
import { createScanEngine, type ScanEngine } from '../../../src/node/scan/scan-engine.ts';
import { fileReference } from '../../../src/node/scan/scan-tensors.ts';
import { TaskControl } from '../../../src/node/scan/task-control.ts';

let engine: ScanEngine;
beforeAll(() => {
  engine = createScanEngine({ workerFile: pathToFileURL(inject('scanWorker')), threads: 1 });
});
afterAll(() => engine.destroy());

describe('the scan engine', () => {
  it('parses a header to the same table as here, without losing what no number holds', async () => {
    const header = headerOf(
      entry('a', 'F32', '[4]', '[0,16]'),
      entry('big', 'U8', '[0,9007199254740993]', '[16,16]'),
      entry('x', 'Q', '[1]', '[16,16]'),
    );
    const text = new TextEncoder().encode(header);
    const frame = { file: 'f', fileSize: 8 + text.length + 16, dataStart: 8 + text.length };
    const there = await engine.run('parseHeader', { from: text, frame });
    const here = parseHeader(text, frame);
    expect(new TensorTable(there.table).rows()).toEqual(new TensorTable(here.table).rows());
    expect(there.findings).toEqual(here.findings);
    expect(there.coverage).toEqual(here.coverage);
  });

  it('passes on the code of an error', async () => {
    const file = {
      path: join(tmpdir(), 'loupe-no-such-file'),
      identity: { size: 1, modified: 0n, inode: 0n, device: 0n },
    };
    const frame = { file: 'f', fileSize: 9, dataStart: 8 };
    await expect(engine.run('parseHeader', { from: { file, offset: 8, length: 1 }, frame })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('stops an export that is cancelled, leaving nothing', async () => {
    const path = join(tmpdir(), `loupe-engine-${process.pid}.safetensors`);
    await writeFile(path, craftFile(headerOf(entry('a', 'U8', '[16]', '[0,16]')), 16));
    const checkpoint = await inspectPath(path);
    const file = fileReference(checkpoint.sources[0] ?? expect.fail());
    const control = new TaskControl();
    control.cancel();
    const target = `${path}.f32`;
    const job = {
      row: oneRow(checkpoint.table, 0),
      options: { format: 'f32' as const },
      path: target,
      overwrite: false,
    };
    await expect(
      engine.run('export', { file: file ?? expect.fail(), job, control: control.memory }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    const fresh = new TaskControl();
    const written = await engine.run('export', { file: file ?? expect.fail(), job, control: fresh.memory });
    expect(written).toEqual({ name: 'a', path: target, bytes: 64 });
    expect(fresh.bytesDone).toBe(64);
    checkpoint.close();
  });
});
