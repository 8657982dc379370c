import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

/**
 * @typedef {{ executable: string, versions: { electron: string, chrome: string, node: string } }} Runtime
 * @typedef {{ why: string }} NoRuntime
 */

/** Where the npm package keeps Electron's program, once it has been fetched. */
const installed = () => {
  const folder = join(root, 'node_modules', 'electron');
  const name = join(folder, 'path.txt');
  return existsSync(name) ? join(folder, 'dist', readFileSync(name, 'utf8').trim()) : undefined;
};

/**
 * Finds an Electron to test with: the program that `ELECTRON_EXECUTABLE` names, or the npm package's own. Nothing is fetched.
 *
 * @returns {Runtime | NoRuntime}
 */
export const findRuntime = () => {
  const executable = process.env.ELECTRON_EXECUTABLE ?? installed();
  if (executable === undefined || !existsSync(executable)) {
    return { why: executable === undefined ? 'no Electron is installed' : `${executable} does not exist` };
  }
  try {
    const text = execFileSync(executable, ['-p', 'JSON.stringify(process.versions)'], {
      encoding: 'utf8',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { electron, node, v8 } = JSON.parse(text);
    // As Node it does not name its Chromium; V8 10.8 is that of Chromium 108.
    const chrome = v8.split('.', 2).join('');
    return electron === undefined
      ? { why: `${executable} is not Electron` }
      : { executable, versions: { electron, chrome, node } };
  } catch {
    return { why: `${executable} does not tell its version (a library may be missing, or a fuse be off)` };
  }
};
