// The loops by themselves, compiled and plain, over windows that are in the cache.
import { PlainKernel } from '../out/lib/core/distribution/plain/plain-kernel.js';
import { newKernel } from '../out/lib/node/scan/kernel-pool.js';
import { report } from './report.mjs';

const WINDOW = 1 << 18;
/** Short runs, and the quickest of many: little of what else the machine does gets in between. */
const ROUNDS = 120;

const noise = () => Math.random() + Math.random() + Math.random() - 1.5;
const elements = (size) => ({ length: WINDOW / size });
const SAMPLES = {
  8: () => Int8Array.from(elements(1), () => noise() * 60),
  16: () =>
    Uint16Array.from(new Uint32Array(Float32Array.from(elements(2), noise).buffer), (pattern) => pattern >>> 16),
  f32: () => Float32Array.from(elements(4), noise),
  f64: () => Float64Array.from(elements(8), noise),
  i32: () => Int32Array.from(elements(4), () => noise() * 1e6),
  u32: () => Uint32Array.from(elements(4), () => Math.abs(noise()) * 1e6),
  i64: () => BigInt64Array.from(elements(8), () => BigInt(Math.round(noise() * 1e6))),
  u64: () => BigUint64Array.from(elements(8), () => BigInt(Math.round(Math.abs(noise()) * 1e6))),
};

/** GB/s of the quickest of many passes over `bytes`. */
const rateOf = (tool, bytes) => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    tool.add(bytes);
    best = Math.min(best, performance.now() - started);
  }
  tool.drain();
  tool.release();
  return (bytes.length / best / 1e6).toFixed(2);
};

export const benchKernels = () => {
  const [compiled, plain] = [newKernel(), new PlainKernel()];
  const toolOf = (kernel, name) =>
    name === '8' || name === '16' ? kernel.patternCounter(Number(name)) : kernel.wideScanner(name);
  for (const [name, sample] of Object.entries(SAMPLES)) {
    const bytes = new Uint8Array(sample().buffer);
    const window = compiled.window.subarray(0, WINDOW);
    window.set(bytes);
    const fast = rateOf(toolOf(compiled, name), window);
    const slow = rateOf(toolOf(plain, name), bytes);
    window.fill(0);
    const zeros = rateOf(toolOf(compiled, name), window);
    const what = name === '8' || name === '16' ? `${name}-bit patterns` : name;
    report(`loop over ${what}, one thread`, fast, 'GB/s', `zeros ${zeros}, plain ${slow}`);
  }
};
