// Checks the types of every environment: two at a time, since each check keeps about one core busy. What a check found out is
// kept in out/types, so that the next one looks again only at what changed.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, root, runNode } from './run.mjs';

// `base` is what all extend, `lib` what the build compiles; the others are one for each environment.
const projects = readdirSync(root)
  .map((name) => /^tsconfig\.(\w+)\.json$/.exec(name)?.[1])
  .filter((name) => name !== undefined && name !== 'base' && name !== 'lib');
const tsc = binOf('typescript', 'tsc');

const work = async () => {
  let worst = 0;
  for (let name = projects.shift(); name !== undefined; name = projects.shift()) {
    const started = Date.now();
    const known = join(root, 'out', 'types', `${name}.tsbuildinfo`);
    const project = join(root, `tsconfig.${name}.json`);
    const code = await runNode(
      [tsc, '--noEmit', '--pretty', '--incremental', '--tsBuildInfoFile', known, '-p', project],
      { collect: true },
    );
    process.stdout.write(
      `types: ${name} ${code === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`,
    );
    worst = Math.max(worst, code);
  }
  return worst;
};

const codes = await Promise.all([work(), work()]);
process.exitCode = Math.max(...codes);
