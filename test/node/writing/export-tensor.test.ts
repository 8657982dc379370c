import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../src/core/checkpoint.ts';
import { oneRow } from '../../../src/core/tensor/tensor-table.ts';
import type { EncodeOptions } from '../../../src/core/writing/encode-tensor.ts';
import { exportTensor } from '../../../src/node/writing/export-tensor.ts';
import { fileBytes, header } from '../../support/safetensors-bytes.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
/** More than five reads' worth, and no whole number of them. */
const COUNT = 3_000_001;
const HALVES = Uint16Array.from({ length: COUNT }, (_, index) => (index * 40_503) % 65_536);

/** Exports the one tensor of a file, of 16-bit elements. */
const exported = async (dtype: string, options: EncodeOptions, cancelAfter = Number.POSITIVE_INFINITY) => {
  const entry = `"w":{"dtype":"${dtype}","shape":[${COUNT}],"data_offsets":[0,${COUNT * 2}]}`;
  const checkpoint = await inspectSource(memorySource(fileBytes(header(entry), new Uint8Array(HALVES.buffer))));
  const [source] = checkpoint.sources;
  if (source === undefined) {
    throw new Error('no source');
  }
  const path = join(folders.make(), 'out');
  let pieces = 0;
  const watch = {
    onBytes: () => {
      pieces += 1;
    },
    isCancelled: () => pieces >= cancelAfter,
  };
  const written = await exportTensor(
    source,
    { row: oneRow(checkpoint.table, 0), options, path, overwrite: false },
    watch,
  );
  return { written, bytes: readFileSync(path) };
};

describe('a tensor of many pieces', () => {
  it('is widened byte for byte', async () => {
    const { written, bytes } = await exported('BF16', { format: 'f32' });
    const expected = Buffer.from(Uint32Array.from(HALVES, (half) => half * 65_536).buffer);
    expect(written.bytes).toBe(COUNT * 4);
    expect(bytes.equals(expected)).toBe(true);
  });

  it('is written raw byte for byte', async () => {
    const { bytes } = await exported('F16', { format: 'raw' });
    expect(bytes.equals(Buffer.from(HALVES.buffer))).toBe(true);
  });

  it.each(['::2', '1::3', '::-1', '100:2900000'])('is sliced by %s byte for byte', async (slice) => {
    const [start = '', stop, step] = slice.split(':');
    const stride = Number(step === undefined || step === '' ? 1 : step);
    const expected: number[] = [];
    if (stride < 0) {
      for (let index = COUNT - 1; index >= 0; index += stride) {
        expected.push((HALVES[index] ?? 0) * 65_536);
      }
    } else {
      for (let index = Number(start); index < (stop ? Number(stop) : COUNT); index += stride) {
        expected.push((HALVES[index] ?? 0) * 65_536);
      }
    }
    const { bytes } = await exported('BF16', { format: 'f32', slice });
    expect(bytes.equals(Buffer.from(Uint32Array.from(expected).buffer))).toBe(true);
  });

  it('can be called off in the middle', async () => {
    await expect(exported('BF16', { format: 'f32' }, 2)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
