import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FolderListing } from '../shared/api.ts';
import { LoupeError } from '../shared/errors.ts';
import type { PermittedRoots } from './permitted-roots.ts';

/** Most entries of one folder that are shown; the chooser filters, and nobody scrolls further. */
export const ENTRY_LIMIT = 5_000;
/** File system look-ups under way at once. */
const LOOKUPS = 32;
/** The path that stands for the list of roots itself, when there are several. */
export const TOP = '/';

type Entry = FolderListing['entries'][number];

/** What an entry is once its links are followed; undefined when it is neither file nor folder, or leads out of the roots. */
const look = async (path: string, name: string, roots: PermittedRoots): Promise<Entry | undefined> => {
  try {
    if (!roots.contains(await realpath(path))) {
      return undefined;
    }
    const info = await stat(path);
    return info.isFile() || info.isDirectory()
      ? { name, path, folder: info.isDirectory(), bytes: info.isFile() ? info.size : 0, modified: info.mtimeMs }
      : undefined;
  } catch {
    // A broken link, or gone since the folder was read.
    return undefined;
  }
};

const lookAll = async (paths: readonly (readonly [string, string])[], roots: PermittedRoots): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (let start = 0; start < paths.length; start += LOOKUPS) {
    const some = paths.slice(start, start + LOOKUPS).map(([path, name]) => look(path, name, roots));
    entries.push(...(await Promise.all(some)).filter((entry) => entry !== undefined));
  }
  return entries;
};

const byKindThenName = (a: Entry, b: Entry): number =>
  Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name, 'en', { numeric: true });

const entriesOf = async (path: string): Promise<Dirent[]> => {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (cause) {
    throw new LoupeError('not-permitted', `${path} cannot be listed`, { path }, { cause });
  }
};

/**
 * What a folder holds, folders first, names in natural order. Links are followed when they stay inside the roots and left
 * out when they do not; sockets, pipes and devices are left out. With several roots, {@link TOP} lists them.
 *
 * @throws LoupeError `not-permitted`, `not-found`.
 */
export const listFolder = async (path: string, roots: PermittedRoots): Promise<FolderListing> => {
  const several = roots.folders.length > 1;
  if (path === TOP && several) {
    const entries = await lookAll(
      roots.folders.map((folder) => [folder, folder]),
      roots,
    );
    return { path: TOP, parent: undefined, isTop: true, entries };
  }
  const folder = await roots.existing(path);
  const names = (await entriesOf(folder)).filter(
    (entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink(),
  );
  const entries = await lookAll(
    names.slice(0, ENTRY_LIMIT).map(({ name }) => [join(folder, name), name]),
    roots,
  );
  const above = dirname(folder);
  const isRoot = roots.folders.includes(await realpath(folder)) || above === folder;
  const parent = isRoot || !roots.contains(await realpath(above)) ? (several ? TOP : undefined) : above;
  return { path: folder, parent, entries: entries.sort(byKindThenName) };
};

/** Where the chooser starts: the folder of the file the program was started with, else the first root. */
export const startFolder = (files: readonly string[], roots: PermittedRoots): string => {
  const [first] = files;
  return first === undefined ? (roots.folders[0] ?? TOP) : dirname(first);
};
