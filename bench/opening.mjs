// P03 and P04: what opening and listing costs, beside the reference libraries, and what it takes of memory.
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildHeader } from '../out/lib/core/formats/safetensors/write-header.js';
import { open } from '../out/lib/index.js';
import { python, report, seconds } from './report.mjs';

const LISTED = 100_000;
const LISTED_TORCH = 20_000;
/** Bytes of the large .pt whose listing's memory is measured. */
const LARGE_TORCH = 5_000_000_000;

const sparse = (path, tensors) => {
  const { prefix, dataBytes } = buildHeader(tensors);
  const file = openSync(path, 'w');
  writeSync(file, prefix);
  ftruncateSync(file, prefix.byteLength + dataBytes);
  closeSync(file);
  return prefix.byteLength;
};

/** Reads name, dtype, shape and range of every tensor, as a caller that lists them does. */
const list = async (path) => {
  const checkpoint = await open(path);
  const { table } = checkpoint;
  let characters = 0;
  for (let id = 0; id < table.length; id += 1) {
    characters += table.name(id).length + table.dtype(id).length + table.shape(id).length + table.range(id).length;
  }
  checkpoint.close();
  return { tensors: table.length, characters };
};

const times = (ours, reference) => `${(reference / ours).toFixed(1)}× slower`;

const benchListing = async (folder) => {
  const path = join(folder, 'list.safetensors');
  sparse(
    path,
    Array.from({ length: LISTED }, (_, index) => ({
      name: `model.layers.${index % 80}.block.${index}.weight`,
      dtype: 'F32',
      shape: [2, 3],
      bytes: 24,
    })),
  );
  if ((await list(path)).tensors !== LISTED) {
    throw new Error('wrong list');
  }
  const time = await seconds(() => list(path));
  report(
    `P03 listing ${LISTED.toLocaleString('en')} tensors: name, dtype, shape, offsets`,
    (time * 1e3).toFixed(0),
    'ms',
  );
  const rows = await seconds(async () => {
    const checkpoint = await open(path);
    checkpoint.table.rows();
    checkpoint.close();
  });
  report('    the same, an object made of each', (rows * 1e3).toFixed(0), 'ms');
  const reference = python('list', path);
  if (reference.skipped === undefined) {
    const label = `    Python safetensors ${reference.version}: name, dtype, shape`;
    report(label, (reference.seconds * 1e3).toFixed(0), 'ms', times(time, reference.seconds));
  } else {
    console.log(`listing: safetensors not measured: ${reference.skipped}`);
  }
};

const benchTorchListing = async (folder) => {
  const path = join(folder, 'list.pt');
  const made = python('make-pt', path, String(LISTED_TORCH), '16');
  if (made.skipped !== undefined) {
    console.log(`.pt listing not measured: ${made.skipped}`);
    return;
  }
  const time = await seconds(() => list(path));
  report(`P03 listing ${LISTED_TORCH.toLocaleString('en')} tensors of a .pt`, (time * 1e3).toFixed(0), 'ms');
  const reference = python('list-pt', path);
  const label = `    torch.load(mmap=True, weights_only=True), ${reference.version}`;
  report(label, (reference.seconds * 1e3).toFixed(0), 'ms', times(time, reference.seconds));
};

const memoryOf = (...parameters) => {
  const script = fileURLToPath(new URL('./memory-child.mjs', import.meta.url));
  const run = spawnSync(process.execPath, [script, ...parameters], { encoding: 'utf8' });
  if (run.status !== 0) {
    throw new Error(run.stderr);
  }
  return Number(run.stdout);
};

const benchMemory = async (folder, headers) => {
  const idle = memoryOf();
  const over = (path) => ((memoryOf(path) - idle) / 1e6).toFixed(1);
  for (const [label, path, headerBytes] of headers) {
    const bar = ((30e6 + 3 * headerBytes) / 1e6).toFixed(1);
    report(`P04 peak memory over idle: ${label}`, over(path), 'MB', `bar ${bar}`);
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LARGE_TORCH * 2) {
    console.log('the memory of a 5 GB .pt not measured: too little room on the disk');
    return;
  }
  const path = join(folder, 'large.pt');
  const made = python('make-pt', path, '20', String(LARGE_TORCH / 20 / 4));
  if (made.skipped === undefined) {
    report('P04 peak memory over idle: a .pt of 5 GB listed', over(path), 'MB');
  } else {
    console.log(`the memory of a 5 GB .pt not measured: ${made.skipped}`);
  }
};

export const benchOpening = async (folder) => {
  await benchListing(folder);
  await benchTorchListing(folder);
  const headers = [];
  for (const [label, bytes] of [
    ['1 MB', 1e6],
    ['100 GB (sparse)', 100e9],
  ]) {
    const path = join(folder, `open-${bytes}.safetensors`);
    const count = bytes / 4;
    headers.push([label, path, sparse(path, [{ name: 'w', dtype: 'F32', shape: [count], bytes }])]);
    const time = await seconds(async () => {
      const checkpoint = await open(path);
      await checkpoint.get('w').toFloat32({ range: { start: count - 8, count: 8 } });
      checkpoint.close();
    });
    report(`P04 opening and reading 8 values of ${label}`, (time * 1e3).toFixed(3), 'ms');
  }
  await benchMemory(folder, headers);
};
