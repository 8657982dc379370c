// npm run bench [-- --mb 512]: measures side by side in one run, and prints one table. Ratios matter, not the figures alone:
// the read-only limit of the same threads, and PyTorch, numpy and safetensors where PYTHON (default python3) has them.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { measure } from 'mitata';
import { buildHeader } from '../out/lib/core/formats/safetensors/write-header.js';
import { open } from '../out/lib/index.js';
import { createScanEngine } from '../out/lib/node/scan/scan-engine.js';
import { scanTensors } from '../out/lib/node/scan/scan-tensors.js';
import { benchExport } from './export.mjs';
import { benchOpening } from './opening.mjs';
import { benchWindow } from './window.mjs';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const BYTES = option('mb', 512) * 1024 * 1024;
const threads = availableParallelism();
const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'));
const MEASURE = {
  min_samples: 5,
  max_samples: 7,
  min_cpu_time: 0,
  warmup_samples: 1,
  inner_gc: false,
  batch_threshold: 0,
};

/** Median seconds of one run of `work`. */
const seconds = async (work) => (await measure(async () => void (await work()), MEASURE)).p50 / 1e9;

const rows = [];
const report = (what, value, unit, note = '') => {
  rows.push({ what, value, unit, note });
  console.log(`${what.padEnd(58)} ${value.padStart(10)} ${unit.padEnd(5)} ${note}`);
};
const rate = (bytes, time) => (bytes / time / 1e9).toFixed(2);

/** Normal-looking float32 noise, repeated: written once, in pieces. */
const writeTensor = (path, dtype, size) => {
  const count = BYTES / size;
  const { prefix } = buildHeader([{ name: 'w', dtype, shape: [count], bytes: BYTES }]);
  const file = openSync(path, 'w');
  writeSync(file, prefix);
  const floats = Float32Array.from(
    { length: 1 << 20 },
    () => (Math.random() + Math.random() + Math.random() - 1.5) * 0.05,
  );
  const words = new Uint32Array(floats.buffer);
  const piece =
    size === 2 ? new Uint8Array(Uint16Array.from(words, (word) => word >>> 16).buffer) : new Uint8Array(floats.buffer);
  for (let done = 0; done < BYTES; done += piece.byteLength) {
    writeSync(file, piece.subarray(0, BYTES - done));
  }
  closeSync(file);
};

/** The read-only limit: the same threads copy the mapped bytes and do nothing else. */
const copyOnly = (path) =>
  Promise.all(
    Array.from({ length: threads }, (_, index) => {
      const worker = new Worker(new URL('./copy-worker.mjs', import.meta.url), {
        workerData: { path, index, threads },
      });
      return new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
    }),
  );

const scanFile = async (engine, checkpoint) => {
  await scanTensors(engine, {
    table: checkpoint.table,
    sources: checkpoint.sources,
    ids: [0],
    bins: 128,
    keep: false,
    onTensor: () => undefined,
    onFailed: (_id, error) => {
      throw new Error(error.message);
    },
  });
};

const python = (...parameters) => {
  const script = fileURLToPath(new URL('./reference.py', import.meta.url));
  const run = spawnSync(process.env.PYTHON ?? 'python3', [script, ...parameters], { encoding: 'utf8' });
  const last = run.stdout?.trim().split('\n').at(-1) ?? '';
  return run.status === 0 && last.startsWith('{')
    ? JSON.parse(last)
    : { skipped: last || String(run.error ?? run.stderr) };
};

const benchScan = async (dtype, size) => {
  const path = join(folder, `${dtype}.safetensors`);
  writeTensor(path, dtype, size);
  const engine = createScanEngine({
    workerFile: new URL('../out/lib/node/scan/scan-worker.js', import.meta.url),
    threads,
  });
  const checkpoint = await open(path);
  const limits = await copyOnly(path);
  const limit = Math.max(...limits.map(({ seconds: time }) => time));
  const time = await seconds(() => scanFile(engine, checkpoint));
  report(`${dtype}: the same ${threads} threads only copying`, rate(BYTES, limit), 'GB/s');
  report(`${dtype}: full audit`, rate(BYTES, time), 'GB/s', `${((100 * limit) / time).toFixed(0)} % of copying`);
  checkpoint.close();
  await engine.destroy();
  const reference = python('scan', path);
  if (reference.skipped === undefined) {
    report(
      `${dtype}: PyTorch ${reference.version}, ${reference.threads} threads`,
      rate(BYTES, reference.seconds),
      'GB/s',
      `${(reference.seconds / time).toFixed(0)}× slower`,
    );
  } else {
    console.log(`${dtype}: PyTorch not measured: ${reference.skipped}`);
  }
};

const context = { folder, seconds, report, rate, python };
try {
  console.log(`Node ${process.version}, ${threads} threads, ${(BYTES / 1e6).toFixed(0)} MB a file, warm page cache\n`);
  await benchScan('BF16', 2);
  await benchScan('F32', 4);
  await benchExport(context, join(folder, 'BF16.safetensors'));
  await benchOpening(context);
  await benchWindow(context);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
