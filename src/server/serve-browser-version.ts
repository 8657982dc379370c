import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ScanCache } from '../node/cache/scan-cache.ts';
import { createInspectorService } from '../node/inspector-service.ts';
import { openRecentFiles } from '../node/recent-files.ts';
import { createScanEngine } from '../node/scan/scan-engine.ts';
import { serveInspector } from '../rpc/inspector.ts';
import { LoupeError } from '../shared/errors.ts';
import { type BrowserContext, createBrowserApi } from './browser-api.ts';
import { type BrowserServer, startBrowserServer } from './browser-server.ts';
import { Downloads } from './downloads.ts';
import { openInBrowser } from './open-in-browser.ts';
import { type PackageFiles, packageFiles } from './package-files.ts';
import { createPermittedRoots } from './permitted-roots.ts';

/** What `loupe serve` may be told; everything has a default. */
export interface ServeOptions {
  /** Files or folders to open in the page at once. */
  readonly files?: readonly string[];
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Folders the page may look into, instead of the home folder and the current one. */
  readonly roots?: readonly string[];
  /** Open the page in the system's browser; true unless told. */
  readonly open?: boolean;
  /** End when no page has been connected for that many seconds; never unless told. */
  readonly idleClose?: number;
  /** Refuse pages of other users of this machine; see `BrowserServerOptions`. */
  readonly ownUserOnly?: boolean;
}

/** A browser version that runs. */
export interface RunningBrowserVersion extends Pick<BrowserServer, 'url' | 'pagesSeen' | 'closed'> {
  /** Stops listening and ends all work; resolves when both are done. */
  readonly stop: () => Promise<void>;
}

/** Folders a file given on the command line opens up: its own and, for a link (a model cache), the one it leads to. */
const foldersOf = (file: string): readonly string[] =>
  [file, realpathSync(file)].map((path) => (statSync(path).isDirectory() ? path : dirname(path)));

/**
 * Starts the browser version and returns once it listens.
 *
 * @param files Where the built package lies; its own place unless told.
 * @throws LoupeError `not-found` for a file that is not there, `not-built`, `port-in-use`, `cannot-listen`.
 */
export const startBrowserVersion = async (
  options: ServeOptions = {},
  files: PackageFiles = packageFiles(),
): Promise<RunningBrowserVersion> => {
  const launchPaths = (options.files ?? []).map((file) => resolve(file));
  for (const path of launchPaths) {
    if (!existsSync(path)) {
      throw new LoupeError('not-found', `${path} does not exist`, { path });
    }
  }
  if (!existsSync(join(files.page, 'index.html'))) {
    throw new LoupeError('not-built', `the page is not built; run "npm run build" in ${files.root}`);
  }
  const chosen = options.roots ?? [];
  const general = chosen.length > 0 ? chosen : [homedir(), process.cwd()];
  const roots = await createPermittedRoots([...launchPaths.flatMap(foldersOf), ...general]);
  const engine = createScanEngine({ workerFile: pathToFileURL(files.scanWorker) });
  const cache = new ScanCache(engine);
  const downloads = new Downloads();
  const context: BrowserContext = {
    makeService: (peer, guard) => createInspectorService({ engine, cache, samplePath: files.sample, peer, guard }),
    roots,
    recents: openRecentFiles(),
    downloads,
    version: files.version,
    launchPaths,
  };
  try {
    const server = await startBrowserServer({
      port: options.port ?? 0,
      pageFolder: files.page,
      downloads,
      idleCloseSeconds: options.idleClose,
      ownUserOnly: options.ownUserOnly ?? false,
      onPage: (wire) =>
        serveInspector(wire, (peer) => {
          const { api, release } = createBrowserApi(peer, context);
          wire.onClose(release);
          return api;
        }),
    });
    const closed = server.closed.then(() => engine.destroy());
    const stop = async (): Promise<void> => {
      await server.close();
      await closed;
    };
    return { url: server.url, pagesSeen: server.pagesSeen, closed, stop };
  } catch (error) {
    await engine.destroy();
    throw error;
  }
};

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when `running` has ended: by itself, or because the process was told to (Ctrl+C). */
export const untilStopped = async (running: RunningBrowserVersion): Promise<void> => {
  const onSignal = (): void => void running.stop();
  for (const signal of STOP_SIGNALS) {
    process.once(signal, onSignal);
  }
  try {
    await running.closed;
  } finally {
    for (const signal of STOP_SIGNALS) {
      process.off(signal, onSignal);
    }
  }
};

/**
 * `loupe serve`: serves the browser version until Ctrl+C or until it has idled long enough. Prints the page's address, which
 * holds the launch's secret, alone on standard output.
 *
 * @throws LoupeError as {@link startBrowserVersion}.
 */
export const serveBrowserVersion = async (
  options: ServeOptions = {},
  files: PackageFiles = packageFiles(),
): Promise<void> => {
  const isOpened = options.open ?? true;
  const running = await startBrowserVersion({ ...options, ownUserOnly: isOpened }, files);
  process.stdout.write(`${running.url}\n`);
  if (isOpened) {
    openInBrowser(running.url);
  }
  await untilStopped(running);
};
