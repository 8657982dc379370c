// P05: exporting BF16 as f32, beside dd writing the same bytes to the same disk with the same flush.
import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { oneRow } from '../out/lib/core/tensor/tensor-table.js';
import { open } from '../out/lib/index.js';
import { exportTensor } from '../out/lib/node/writing/export-tensor.js';
import { rate, report, seconds } from './report.mjs';

/** @param path a BF16 file with one tensor, `w`. */
export const benchExport = async (folder, path) => {
  const output = join(folder, 'exported.f32');
  const copy = join(folder, 'dd.f32');
  const checkpoint = await open(path);
  const job = { row: oneRow(checkpoint.table, 0), options: { format: 'f32' }, path: output, overwrite: true };
  const watch = { onBytes: () => undefined, isCancelled: () => false };
  const time = await seconds(() => exportTensor(checkpoint.sources[0], job, watch));
  const { size } = statSync(output);
  checkpoint.close();
  report('P05 exporting BF16 as f32, flushed', rate(size, time), 'GB/s');
  if (spawnSync('dd', ['--version']).status !== 0) {
    console.log('dd not measured: there is none here');
    return;
  }
  const reference = await seconds(() => {
    const run = spawnSync('dd', [`if=${output}`, `of=${copy}`, 'bs=1M', 'conv=fsync'], { encoding: 'utf8' });
    if (run.status !== 0) {
      throw new Error(run.stderr);
    }
  });
  report(
    '    dd conv=fsync of the same bytes',
    rate(size, reference),
    'GB/s',
    `${((100 * reference) / time).toFixed(0)} % of dd`,
  );
  rmSync(output);
  rmSync(copy);
};
