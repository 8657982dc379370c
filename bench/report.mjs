// How benchmarks measure and what they print.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measure } from 'mitata';

const MEASURE = {
  min_samples: 5,
  max_samples: 7,
  min_cpu_time: 0,
  warmup_samples: 1,
  inner_gc: false,
  batch_threshold: 0,
};

/** Median seconds of one run of `work`. */
export const seconds = async (work) => (await measure(async () => void (await work()), MEASURE)).p50 / 1e9;

/** Seconds of the quickest run of `work`: what the reference libraries and the copying threads report too. */
export const bestSeconds = async (work) => (await measure(async () => void (await work()), MEASURE)).min / 1e9;

/** Prints one line of the table. */
export const report = (what, value, unit, note = '') => {
  console.log(`${what.padEnd(58)} ${value.padStart(10)} ${unit.padEnd(5)} ${note}`);
};

/** GB/s. */
export const rate = (bytes, time) => (bytes / time / 1e9).toFixed(2);

export const percent = (part, whole) => `${((100 * part) / whole).toFixed(0)} %`;

/** Runs the reference libraries' side; `skipped` says why there is none. */
export const python = (...parameters) => {
  const script = fileURLToPath(new URL('./reference.py', import.meta.url));
  const run = spawnSync(process.env.PYTHON ?? 'python3', [script, ...parameters], { encoding: 'utf8' });
  const last = run.stdout?.trim().split('\n').at(-1) ?? '';
  return run.status === 0 && last.startsWith('{')
    ? JSON.parse(last)
    : { skipped: last || String(run.error ?? run.stderr) };
};
