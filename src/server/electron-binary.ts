import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Electron's program, or one clause that says why there is none. */
export type ElectronBinary =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly why: string };

const packageFolder = (root: string): string | undefined => {
  try {
    return dirname(createRequire(join(root, 'package.json')).resolve('electron/package.json'));
  } catch {
    return undefined;
  }
};

/** Where the `electron` package keeps its program: `path.txt` names it once it has been fetched. */
const installed = (folder: string): string | undefined => {
  const name = join(folder, 'path.txt');
  if (!existsSync(name)) {
    return undefined;
  }
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist');
  const path = join(dist, readFileSync(name, 'utf8').trim());
  return existsSync(path) ? path : undefined;
};

type FetchOutcome = 'fetched' | 'failed' | 'late';

/** Runs the package's own installer, which downloads the program and checks its hash. */
const fetchBinary = (folder: string, milliseconds: number): Promise<FetchOutcome> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore' });
    const timer = setTimeout(() => {
      resolve('late');
      child.kill('SIGKILL');
    }, milliseconds);
    const end = (outcome: FetchOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    child.once('error', () => end('failed'));
    child.once('exit', (code) => end(code === 0 ? 'fetched' : 'failed'));
  });

/**
 * Finds Electron's program and, since the npm package comes without it, gives fetching it a limited time.
 *
 * @param root Folder of the package that depends on `electron`.
 */
export const electronBinary = async (root: string, milliseconds: number): Promise<ElectronBinary> => {
  const folder = packageFolder(root);
  if (folder === undefined) {
    return { kind: 'missing', why: 'Electron is not installed' };
  }
  const present = installed(folder);
  if (present !== undefined) {
    return { kind: 'found', path: present };
  }
  const outcome = await fetchBinary(folder, milliseconds);
  const fetched = outcome === 'fetched' ? installed(folder) : undefined;
  if (fetched !== undefined) {
    return { kind: 'found', path: fetched };
  }
  const within = outcome === 'late' ? ` within ${milliseconds / 1000} s ("npx install-electron" takes its time)` : '';
  return { kind: 'missing', why: `Electron's program could not be fetched${within}` };
};
