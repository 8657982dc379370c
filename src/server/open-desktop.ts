import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findAppBrowser, hasDisplay, openAppWindow } from './app-window.ts';
import { electronBinary } from './electron-binary.ts';
import { type PackageFiles, packageFiles } from './package-files.ts';
import { startBrowserVersion, untilStopped } from './serve-browser-version.ts';

/** How long Electron's program may take to be fetched. */
const FETCH_MILLISECONDS = 20_000;
/** An Electron that ends badly this early never showed a window: no display, a library missing, no sandbox. */
const START_MILLISECONDS = 10_000;
/** Without a page for this long the browser version behind a window ends, in case the window's end was missed. */
const IDLE_SECONDS = 300;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Runs Electron until it ends; answers why it did not start, or undefined when it did. */
const runElectron = (binary: string, root: string, paths: readonly string[]): Promise<string | undefined> =>
  new Promise((settle) => {
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
    const started = Date.now();
    const child = spawn(binary, [root, ...paths], { stdio: 'inherit', env });
    // This process has to outlive the child, whatever it is told.
    const interrupt = (): void => void child.kill('SIGINT');
    const terminate = (): void => void child.kill('SIGTERM');
    const end = (why: string | undefined): void => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
      settle(why);
    };
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', terminate);
    child.once('error', (error) => end(`Electron could not be started (${error.message})`));
    child.once('exit', (code) => {
      const early = Date.now() - started < START_MILLISECONDS;
      end(code !== 0 && code !== null && early ? `Electron ended at once with code ${code}` : undefined);
    });
  });

/** Tries the desktop program; answers why there is none, or undefined when it ran. */
const tryElectron = async (files: PackageFiles, paths: readonly string[]): Promise<string | undefined> => {
  if (!existsSync(files.electronMain)) {
    return 'the desktop program is not built';
  }
  const binary = await electronBinary(files.root, FETCH_MILLISECONDS);
  return binary.kind === 'found' ? runElectron(binary.path, files.root, paths) : binary.why;
};

/** Serves the browser version and shows it in an application window, if a browser for that is installed. */
const serveInWindow = async (files: PackageFiles, paths: readonly string[]): Promise<void> => {
  const browser = hasDisplay(process.platform, process.env) ? findAppBrowser() : undefined;
  const shown = browser === undefined ? {} : { idleClose: IDLE_SECONDS, ownUserOnly: true };
  const running = await startBrowserVersion({ files: paths, ...shown }, files);
  process.stdout.write(`${running.url}\n`);
  if (browser === undefined) {
    await untilStopped(running);
    return;
  }
  const window = openAppWindow(browser, running.url);
  const windowGone = window.gone.then(async () => {
    if (running.pagesSeen() > 0) {
      await running.stop();
    } else {
      say('No window could be shown; open the address above in a browser.');
    }
  });
  await untilStopped(running);
  window.close();
  await windowGone;
};

/**
 * `loupe open`: shows files in the desktop program, and in the browser version where Electron cannot be had, which one line on
 * standard error says. Returns when the window has been closed, or on Ctrl+C.
 *
 * @param files Where the built package lies; its own place unless told.
 * @throws LoupeError as `startBrowserVersion`.
 */
export const openDesktop = async (paths: readonly string[], files: PackageFiles = packageFiles()): Promise<void> => {
  const absolute = paths.map((path) => resolve(path));
  const why = await tryElectron(files, absolute);
  if (why !== undefined) {
    say(`${why}; opening the browser version instead.`);
    await serveInWindow(files, absolute);
  }
};
