import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const LINUX_NAMES = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
];
const MAC_NAMES = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
const WINDOWS_PATHS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

/** Places where a browser that can show an `--app=` window may lie, likeliest first. `CHROME_PATH` goes before all. */
export const browserCandidates = (platform: NodeJS.Platform, environment: Environment): readonly string[] => {
  const own = environment.CHROME_PATH;
  const first = own === undefined || own === '' ? [] : [own];
  if (platform === 'darwin') {
    const folders = ['/Applications', join(homedir(), 'Applications')];
    return [
      ...first,
      ...MAC_NAMES.flatMap((name) => folders.map((at) => join(at, `${name}.app`, 'Contents', 'MacOS', name))),
    ];
  }
  if (platform === 'win32') {
    const folders = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => environment[name] ?? []);
    return [...first, ...WINDOWS_PATHS.flatMap((path) => folders.map((at) => `${at}\\${path}`))];
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...first, ...LINUX_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))];
};

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The first installed browser that can show an application window; undefined when there is none. */
export const findAppBrowser = (): string | undefined =>
  browserCandidates(process.platform, process.env).find(isExecutable);

/** Whether a window could be shown at all: on Linux and its kin only with a display. */
export const hasDisplay = (platform: NodeJS.Platform, environment: Environment): boolean =>
  platform === 'win32' || platform === 'darwin' || Boolean(environment.DISPLAY) || Boolean(environment.WAYLAND_DISPLAY);

/** A window of its own for one page. */
export interface AppWindow {
  /** Resolves when its process has ended: it was closed, or it could not be shown. */
  readonly gone: Promise<void>;
  readonly close: () => void;
}

/**
 * Shows an address in a window without browser controls. It gets a profile of its own, removed afterwards: only so does the
 * process live exactly as long as the window.
 */
export const openAppWindow = (browser: string, url: string): AppWindow => {
  const profile = mkdtempSync(join(tmpdir(), 'tensor-loupe-window-'));
  const child = spawn(
    browser,
    [
      `--app=${url}`,
      `--user-data-dir=${profile}`,
      '--window-size=1280,800',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-extensions',
      '--disable-background-networking',
      '--disable-sync',
    ],
    { stdio: 'ignore' },
  );
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  }).then(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  return { gone, close: () => void child.kill() };
};
