// npm run test:electron [-- FILE…]: runs the browser tests that hold on the desktop in Electron itself, and packages the
// program and runs that. Needs a build, and an Electron: the npm package's own once it has been fetched, or any that
// ELECTRON_EXECUTABLE names, also one that is part of another program. One too old for our modules gets a build of its own.
// Where there is none, a line says that nothing ran.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildForOlder } from '../test/electron-real/build-for-older.mjs';
import { findRuntime } from '../test/electron-real/find-runtime.mjs';
import { packageForTest } from '../test/electron-real/package-for-test.mjs';
import { plainRuntime, runtimeToPackage } from '../test/electron-real/plain-runtime.mjs';
import { binOf, root } from './run.mjs';

/** From here on a main process may consist of modules, and everything the program calls is there. */
const FIRST_WITH_MODULES = 30;

const notRun = (why) => process.stdout.write(`the tests in Electron did not run: ${why}\n`);

/** What a window is shown on: this terminal's display, or one that nobody sees; undefined when there is neither. */
const display = () => {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) {
    return [];
  }
  const found = spawnSync('xvfb-run', ['--help'], { stdio: 'ignore' }).status === 0;
  return found ? ['xvfb-run', '-a', '-s', '-screen 0 1400x900x24'] : undefined;
};

const run = async ({ executable, versions }, wrapper, folder) => {
  const { electron, chrome, node } = versions;
  process.stdout.write(`Electron ${electron} (Chromium ${chrome}, Node ${node})\n`);
  const isOlder = Number.parseInt(electron, 10) < FIRST_WITH_MODULES;
  const appFolder = isOlder ? join(folder, 'app') : root;
  if (isOlder) {
    process.stdout.write('which is too old for the build as it is shipped: building for it\n');
    await buildForOlder({ folder: appFolder, chrome: Number.parseInt(chrome, 10), node: Number.parseInt(node, 10) });
  } else if (!existsSync(join(root, 'out', 'main', 'index.js'))) {
    throw new Error('the program is not built; run "npm run build"');
  }
  const packaged = await packageForTest({
    electron,
    runtimeFolder: runtimeToPackage(executable, join(folder, 'runtime')),
    appFolder,
    folder: join(folder, 'package'),
  });
  const env = {
    ...process.env,
    LOUPE_TEST_PACKAGED: packaged,
    LOUPE_TEST_ELECTRON: plainRuntime(executable, join(folder, 'electron')),
    LOUPE_TEST_ELECTRON_APP: appFolder,
  };
  const given = process.argv.slice(2);
  const command = [
    ...wrapper,
    process.execPath,
    binOf('vitest'),
    'run',
    '--project',
    'browser',
    '--no-file-parallelism',
    ...given,
  ];
  return spawnSync(command[0], command.slice(1), { cwd: root, env, stdio: 'inherit' }).status ?? 130;
};

const runtime = findRuntime();
const wrapper = display();
if ('why' in runtime) {
  notRun(`${runtime.why}; ELECTRON_EXECUTABLE can name one`);
} else if (wrapper === undefined) {
  notRun('there is no display, and no xvfb-run to make one');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-electron-'));
  try {
    process.exitCode = await run(runtime, wrapper, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
