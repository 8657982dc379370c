// The full audit of one tensor (P01, P02): against the threads that only copy, against PyTorch, with one thread, over zeros,
// and where the time goes.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildHeader } from '../out/lib/core/formats/safetensors/write-header.js';
import { open } from '../out/lib/index.js';
import { createScanEngine } from '../out/lib/node/scan/scan-engine.js';
import { scanTensors } from '../out/lib/node/scan/scan-tensors.js';
import { bestSeconds, percent, python, rate, report } from './report.mjs';
import { stagesOf } from './stages.mjs';

/** A quarter million elements or more of normal-looking noise, or of zeros, as bytes of that dtype. */
const pieceOf = (dtype, zeros) => {
  const noise = () => (Math.random() + Math.random() + Math.random() - 1.5) * 0.05;
  const floats = Float32Array.from({ length: 1 << 20 }, zeros ? () => 0 : noise);
  const words = new Uint32Array(floats.buffer);
  return dtype === 'BF16'
    ? new Uint8Array(Uint16Array.from(words, (word) => word >>> 16).buffer)
    : new Uint8Array(floats.buffer);
};

/** One tensor "w" of `bytes` bytes, the same piece over and over. */
const writeTensor = (path, dtype, bytes, zeros) => {
  const piece = pieceOf(dtype, zeros);
  const { prefix } = buildHeader([{ name: 'w', dtype, shape: [bytes / (dtype === 'BF16' ? 2 : 4)], bytes }]);
  const file = openSync(path, 'w');
  writeSync(file, prefix);
  for (let done = 0; done < bytes; done += piece.byteLength) {
    writeSync(file, piece.subarray(0, bytes - done));
  }
  closeSync(file);
};

/** The read-only limit: that many threads copy the mapped bytes and do nothing else. Seconds of the slowest one. */
const copyOnly = async (path, threads) => {
  const times = await Promise.all(
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
  return Math.max(...times.map(({ seconds }) => seconds));
};

/** Seconds of the quickest full audit on that many threads. */
const audit = async (path, threads) => {
  const engine = createScanEngine({
    workerFile: new URL('../out/lib/node/scan/scan-worker.js', import.meta.url),
    threads,
  });
  const checkpoint = await open(path);
  try {
    return await bestSeconds(() =>
      scanTensors(engine, {
        table: checkpoint.table,
        sources: checkpoint.sources,
        ids: [0],
        bins: 128,
        keep: false,
        onTensor: () => undefined,
        onFailed: (_id, error) => {
          throw new Error(error.message);
        },
      }),
    );
  } finally {
    checkpoint.close();
    await engine.destroy();
  }
};

/**
 * @param {{ row: string, folder: string, dtype: 'BF16' | 'F32', bytes: number, threads: number }} options
 */
export const benchScan = async ({ row, folder, dtype, bytes, threads }) => {
  const path = join(folder, `${dtype}.safetensors`);
  const zeros = join(folder, `${dtype}-zeros.safetensors`);
  writeTensor(path, dtype, bytes, false);
  const limit = await copyOnly(path, threads);
  const time = await audit(path, threads);
  report(`${row} ${dtype}: the same ${threads} threads only copying`, rate(bytes, limit), 'GB/s');
  report(`${row} ${dtype}: full audit`, rate(bytes, time), 'GB/s', `${percent(limit, time)} of copying`);
  const reference = python('scan', path);
  if (reference.skipped === undefined) {
    report(
      `${row} ${dtype}: PyTorch ${reference.version}, ${reference.threads} threads`,
      rate(bytes, reference.seconds),
      'GB/s',
      `${(reference.seconds / time).toFixed(0)}× slower`,
    );
  } else {
    console.log(`${row} ${dtype}: PyTorch not measured: ${reference.skipped}`);
  }
  const oneLimit = await copyOnly(path, 1);
  const one = await audit(path, 1);
  report(
    `${row} ${dtype}: one thread only copying`,
    rate(bytes, oneLimit),
    'GB/s',
    `× ${(oneLimit / limit).toFixed(2)} with ${threads}`,
  );
  report(
    `${row} ${dtype}: full audit, one thread`,
    rate(bytes, one),
    'GB/s',
    `× ${(one / time).toFixed(2)} with ${threads}`,
  );
  writeTensor(zeros, dtype, bytes, true);
  report(`${row} ${dtype}: full audit of zeros`, rate(bytes, await audit(zeros, threads)), 'GB/s');
  await reportStages(path, dtype, one, row);
};

/** Where one thread's time goes, of the audit that took it `whole` seconds. */
const reportStages = async (path, dtype, whole, row) => {
  const { stages, total } = await stagesOf(path, dtype);
  const shares = Object.entries(stages).map(([name, time]) => `${name} ${percent(time, whole)}`);
  console.log(
    `${row} ${dtype}: of one thread's time: ${shares.join(', ')}, tasks and messages ${percent(whole - total, whole)}`,
  );
};
