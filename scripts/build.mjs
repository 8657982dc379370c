// Builds everything into out/: the library and command line (tsc), the Electron program and the page (electron-vite). Compiles
// the hot loops first where they changed.
import { chmodSync, existsSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildKernels } from './kernels.mjs';
import { binOf, root, runTogether } from './run.mjs';

const out = join(root, 'out');
const library = join(out, 'lib');
const fresh = join(out, 'lib.next');
const stamp = join(out, 'built');

const started = Date.now();
rmSync(stamp, { force: true });
rmSync(fresh, { recursive: true, force: true });
// First, since the others compile what it makes.
await buildKernels();
const code = await runTogether([
  [binOf('typescript', 'tsc'), '-p', join(root, 'tsconfig.lib.json'), '--outDir', fresh, '--noEmitOnError'],
  [binOf('electron-vite'), 'build', '--logLevel', 'warn'],
]);
if (code === 0) {
  // Only whole: nobody finds a library half old and half new, and files of removed sources are gone.
  rmSync(library, { recursive: true, force: true });
  renameSync(fresh, library);
  const command = join(library, 'cli', 'loupe.js');
  if (existsSync(command)) {
    chmodSync(command, 0o755);
  }
  writeFileSync(stamp, '');
  // As old as its beginning: a source that was saved meanwhile counts as newer.
  utimesSync(stamp, started / 1000, started / 1000);
  process.stdout.write(`built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
} else {
  rmSync(fresh, { recursive: true, force: true });
  process.stderr.write('the build failed\n');
}
process.exitCode = code;
