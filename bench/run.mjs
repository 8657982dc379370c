// npm run bench [-- --mb 512]: measures side by side in one run, and prints one table. Ratios matter, not the figures alone:
// the read-only limit of the same threads, and PyTorch, numpy and safetensors where PYTHON (default python3) has them.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchExport } from './export.mjs';
import { benchKernels } from './kernels.mjs';
import { benchOpening } from './opening.mjs';
import { benchScan } from './scan.mjs';
import { benchWindow } from './window.mjs';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const BYTES = option('mb', 512) * 1024 * 1024;
const threads = availableParallelism();
const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'));

try {
  console.log(`Node ${process.version}, ${threads} threads, ${(BYTES / 1e6).toFixed(0)} MB a file, warm page cache\n`);
  await benchScan({ row: 'P01', folder, dtype: 'BF16', bytes: BYTES, threads });
  await benchScan({ row: 'P02', folder, dtype: 'F32', bytes: BYTES, threads });
  benchKernels();
  await benchExport(folder, join(folder, 'BF16.safetensors'));
  await benchOpening(folder);
  await benchWindow(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
