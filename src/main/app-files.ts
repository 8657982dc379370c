import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { App } from 'electron';

/** Where the parts of the program lie. */
export interface AppFiles {
  /** Folder of the built page. */
  readonly page: string;
  readonly preload: string;
  /** On disk even when packaged: it is mapped, which nothing inside an asar archive can be. */
  readonly sample: string;
  /** Entry of the scan engine's workers, beside the main process's own entry. */
  readonly scanWorker: URL;
}

/** Finds them, in a development tree as in a packaged program. */
export const appFiles = (app: Pick<App, 'isPackaged' | 'getAppPath'>, resources: string): AppFiles => {
  const root = app.getAppPath();
  return {
    page: join(root, 'out', 'renderer'),
    preload: join(root, 'out', 'preload', 'index.cjs'),
    sample: join(app.isPackaged ? resources : root, 'samples', 'sample.safetensors'),
    scanWorker: pathToFileURL(join(root, 'out', 'main', 'scan-worker.js')),
  };
};
