import { app, Menu } from 'electron';
import { ScanCache } from '../node/cache/scan-cache.ts';
import { createInspectorService } from '../node/inspector-service.ts';
import { openRecentFiles } from '../node/recent-files.ts';
import { createScanEngine } from '../node/scan/scan-engine.ts';
import { appFiles } from './app-files.ts';
import { hardenDefaultSession, openExternally } from './hardening.ts';
import { menuTemplate } from './menu-template.ts';
import { pageUrl } from './page-address.ts';
import { servePage } from './page-scheme.ts';
import { openSettings } from './settings.ts';
import { createWindowApi } from './window-api.ts';
import { createWindows, type Windows } from './windows.ts';

/** The program once Electron is ready. */
export interface Application {
  readonly windows: Windows;
  /** Ends the scan engine's threads. */
  readonly end: () => Promise<void>;
}

/** Builds the program: the engine, the page's scheme, the menu, and windows as they are asked for. */
export const createApplication = (report: (error: unknown) => void): Application => {
  const files = appFiles(app, process.resourcesPath);
  const page = pageUrl(app.isPackaged, process.env.ELECTRON_RENDERER_URL);
  const engine = createScanEngine({ workerFile: files.scanWorker });
  const cache = new ScanCache(engine);
  const recents = openRecentFiles();

  hardenDefaultSession(page);
  servePage(files.page);

  const windows = createWindows({
    page,
    preload: files.preload,
    devTools: !app.isPackaged,
    settings: openSettings(app.getPath('userData')),
    onFailure: report,
    join: (window, peer, launchPaths) => {
      const service = createInspectorService({ engine, cache, samplePath: files.sample, peer });
      const api = createWindowApi({ window, service, recents, launchPaths, onRecents: showMenu });
      return { api, dispose: () => service.dispose() };
    },
  });

  const showMenu = (): void =>
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        menuTemplate({
          platform: process.platform,
          development: !app.isPackaged,
          recents: recents.list().map(({ path }) => path),
          send: windows.send,
          openPath: (path) => windows.openPaths([path]),
          forgetRecents: () => {
            recents.forget();
            app.clearRecentDocuments();
            showMenu();
          },
          newWindow: () => windows.create([]),
          openLink: openExternally,
        }),
      ),
    );
  showMenu();

  return { windows, end: () => engine.destroy() };
};
