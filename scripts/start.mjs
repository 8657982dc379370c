// npm start [-- FILE]: builds when needed, then opens the desktop program (or the browser version in its place).
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './run.mjs';

const SOURCES = ['src', 'package.json', 'electron.vite.config.ts', 'tsconfig.base.json', 'tsconfig.lib.json'];

/** When the newest file below a path was changed, in milliseconds since 1970; 0 when there is none. */
const newest = (path) => {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) {
    return 0;
  }
  return info.isDirectory()
    ? Math.max(info.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
    : info.mtimeMs;
};

const built = statSync(join(root, 'out', 'built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (Math.max(...SOURCES.map((name) => newest(join(root, name)))) > built) {
  process.stderr.write('building…\n');
  const code = await runNode([join(root, 'scripts', 'build.mjs')]);
  if (code !== 0) {
    process.exit(code);
  }
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : [join(root, 'samples', 'sample.safetensors')];
process.exitCode = await runNode([join(root, 'out', 'lib', 'cli', 'loupe.js'), 'open', ...files]);
