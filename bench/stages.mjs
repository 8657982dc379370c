// The work of one scanning thread, done here stage by stage: what the engine does beyond it is handing out tasks.
import { distributionFromData, newDistribution } from '../out/lib/core/distribution/new-distribution.js';
import { open } from '../out/lib/index.js';
import { newKernel } from '../out/lib/node/scan/kernel-pool.js';

/** Bytes between two drains, as the scan plan has it. */
const PIECE = 32 * 1024 * 1024;
const ROUNDS = 5;

/** One pass over the tensor "w". */
const pass = (source, [begin, end], dtype, kernel) => {
  const stages = { copying: 0, counting: 0, draining: 0, 'merging and summary': 0 };
  let last = performance.now();
  const lap = (stage) => {
    const now = performance.now();
    stages[stage] += (now - last) / 1000;
    last = now;
  };
  const parts = [];
  for (let from = begin; from < end; from += PIECE) {
    const to = Math.min(from + PIECE, end);
    const distribution = newDistribution(dtype, { kernel });
    for (let at = from; at < to; at += kernel.window.length) {
      const window = kernel.window.subarray(0, to - at);
      source.read(at, window);
      lap('copying');
      distribution.add(window);
      lap('counting');
    }
    parts.push(distribution.toData());
    lap('draining');
  }
  const [first, ...others] = parts.map((part) => distributionFromData(part));
  for (const other of others) {
    first.merge(other);
  }
  first.summarise('w', 128);
  lap('merging and summary');
  return { stages, total: Object.values(stages).reduce((sum, time) => sum + time, 0) };
};

/** Seconds of each stage in the quickest of several passes over a file's tensor "w". */
export const stagesOf = async (path, dtype) => {
  const checkpoint = await open(path);
  const [source] = checkpoint.sources;
  const range = checkpoint.table.range(checkpoint.table.idOf('w'));
  const kernel = newKernel();
  const passes = Array.from({ length: ROUNDS }, () => pass(source, range, dtype, kernel));
  checkpoint.close();
  return passes.reduce((best, next) => (next.total < best.total ? next : best));
};
