import type { InspectorService } from '../node/inspector-service.ts';
import type { PathGuard } from '../node/model/path-guard.ts';
import type { RecentFiles } from '../node/recent-files.ts';
import type { InspectorApi, InspectorPeer } from '../shared/api.ts';
import type { Downloads } from './downloads.ts';
import { listFolder, startFolder } from './list-folder.ts';
import type { PermittedRoots } from './permitted-roots.ts';

/** What the pages of one server have in common. */
export interface BrowserContext {
  /** Makes a page's service, whose guard judges every file it opens. */
  readonly makeService: (peer: InspectorPeer, guard: PathGuard) => InspectorService;
  readonly roots: PermittedRoots;
  readonly recents: RecentFiles;
  readonly downloads: Downloads;
  readonly version: string;
  /** Absolute paths given on the command line. */
  readonly launchPaths: readonly string[];
}

/** The service as one page sees it. */
export interface BrowserApi {
  readonly api: Partial<InspectorApi>;
  /** The page is gone: its service ends once the downloads it began are through. */
  readonly release: () => void;
}

/** Counts the downloads that still need the service, and ends it after the last one and the page are gone. */
const createLease = (end: () => void): { hold(): () => void; release(): void } => {
  let holds = 1;
  const letGo = (): void => {
    holds -= 1;
    if (holds === 0) {
      end();
    }
  };
  return {
    hold: () => {
      holds += 1;
      return letGo;
    },
    release: letGo,
  };
};

const recentsInside = async (recents: RecentFiles, roots: PermittedRoots) => {
  const files = await Promise.all(
    recents.list().map((file) =>
      roots.existing(file.path).then(
        () => file,
        () => undefined,
      ),
    ),
  );
  return files.filter((file) => file !== undefined);
};

/**
 * Makes the methods of one page: the inspector's own, limited to the permitted roots where they take a path, and those only
 * the browser version has.
 */
export const createBrowserApi = (peer: InspectorPeer, context: BrowserContext): BrowserApi => {
  const { roots, recents, downloads, launchPaths } = context;
  const service = context.makeService(peer, (path) => roots.existing(path));
  const lease = createLease(() => service.dispose());

  const api: Partial<InspectorApi> = {
    ...service.api,
    open: async (params, signal) => {
      if (params.kind !== 'path') {
        return service.api.open(params, signal);
      }
      const path = await roots.existing(params.path);
      const opened = await service.api.open({ kind: 'path', path }, signal);
      recents.add(path);
      return opened;
    },
    exportTensor: async (params, signal) =>
      service.api.exportTensor({ ...params, path: await roots.target(params.path) }, signal),
    convert: async (params, signal) =>
      service.api.convert({ ...params, output: await roots.output(params.output) }, signal),
    exportMany: async (params, signal) =>
      service.api.exportMany({ ...params, folder: await roots.output(params.folder) }, signal),
    prepareDownload: async (params) => {
      const { fileName, bytes, chunks } = await service.openExport(params);
      const finish = lease.hold();
      return { url: `download/${downloads.issue({ fileName, bytes, chunks, finish })}`, fileName };
    },
    shell: async () => ({ kind: 'browser', version: context.version, platform: process.platform, launchPaths }),
    recents: () => recentsInside(recents, roots),
    forgetRecents: async () => {
      recents.forget();
      return undefined;
    },
    listFolder: ({ path }) => listFolder(path ?? startFolder(launchPaths, roots), roots),
  };
  return { api, release: lease.release };
};
