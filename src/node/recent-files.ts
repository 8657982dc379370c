import Conf from 'conf';
import type { RecentFile } from '../shared/api.ts';

/** How many files are remembered. */
export const RECENT_LIMIT = 20;

/** The files opened lately, newest first, shared by the desktop program and the browser version. */
export interface RecentFiles {
  list(): readonly RecentFile[];
  /** Puts a path on top; a path already known moves there. */
  add(path: string): void;
  forget(): void;
}

/** Where settings are kept and what time it is; both have defaults. */
export interface RecentFilesOptions {
  /** Folder of the settings file; by default the system's place for settings, or `LOUPE_SETTINGS_DIR` when set. */
  readonly folder?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

type Stored = { files: unknown };

const isRecentFile = (value: unknown): value is RecentFile =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  value.path !== '' &&
  'openedAt' in value &&
  typeof value.openedAt === 'number';

const parse = (stored: unknown): readonly RecentFile[] =>
  Array.isArray(stored) ? stored.filter(isRecentFile).slice(0, RECENT_LIMIT) : [];

const openStore = (folder: string | undefined): Conf<Stored> | undefined => {
  try {
    return new Conf<Stored>({
      projectName: 'tensor-loupe',
      projectSuffix: '',
      configName: 'recent-files',
      clearInvalidConfig: true,
      // Which files somebody looks at is their own business.
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      ...(folder === undefined ? {} : { cwd: folder }),
    });
  } catch {
    return undefined;
  }
};

/**
 * Opens the list of recent files. The file is read for each answer and replaced atomically, so several processes may share
 * it. Where settings cannot be read or written (a read-only home), the list lives as long as the process: remembering is a
 * convenience and never an error.
 */
export const openRecentFiles = (options: RecentFilesOptions = {}): RecentFiles => {
  const now = options.now ?? Date.now;
  const store = openStore(options.folder ?? (process.env.LOUPE_SETTINGS_DIR || undefined));
  let unsaved: readonly RecentFile[] | undefined;

  const list = (): readonly RecentFile[] => {
    if (unsaved !== undefined || store === undefined) {
      return unsaved ?? [];
    }
    try {
      return parse(store.get('files'));
    } catch {
      return [];
    }
  };
  const save = (files: readonly RecentFile[]): void => {
    try {
      store?.set('files', files);
      unsaved = store === undefined ? files : undefined;
    } catch {
      unsaved = files;
    }
  };

  return {
    list,
    add: (path) => {
      const others = list().filter((file) => file.path !== path);
      save([{ path, openedAt: now() }, ...others].slice(0, RECENT_LIMIT));
    },
    forget: () => save([]),
  };
};
