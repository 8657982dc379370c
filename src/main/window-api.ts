import { resolve } from 'node:path';
import { app, type BaseWindow } from 'electron';
import type { InspectorService } from '../node/inspector-service.ts';
import type { RecentFiles } from '../node/recent-files.ts';
import type { InspectorApi } from '../shared/api.ts';
import { chooseFile, chooseFolder, chooseSavePath } from './dialogs.ts';

/** What the methods of one window act on. */
export interface WindowContext {
  readonly window: BaseWindow;
  readonly service: InspectorService;
  readonly recents: RecentFiles;
  readonly launchPaths: readonly string[];
  /** The list of recent files has changed. */
  readonly onRecents: () => void;
}

/** The methods of one window: the inspector's own, and those only the desktop has. */
export const createWindowApi = (context: WindowContext): Partial<InspectorApi> => {
  const { window, service, recents, launchPaths, onRecents } = context;
  return {
    ...service.api,
    open: async (params, signal) => {
      const opened = await service.api.open(params, signal);
      if (params.kind === 'path') {
        const path = resolve(params.path);
        recents.add(path);
        app.addRecentDocument(path);
        onRecents();
      }
      return opened;
    },
    shell: async () => ({ kind: 'electron', version: app.getVersion(), platform: process.platform, launchPaths }),
    recents: async () => recents.list(),
    forgetRecents: async () => {
      recents.forget();
      app.clearRecentDocuments();
      onRecents();
      return undefined;
    },
    chooseFile: () => chooseFile(window),
    chooseFolder: ({ purpose }) => chooseFolder(window, purpose),
    chooseSavePath: ({ suggested }) => chooseSavePath(window, suggested),
  };
};
