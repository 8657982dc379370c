import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { LoupeError } from '../shared/errors.ts';

/** The folders a page may look into. Every path is judged by where it really leads, so no link leads out of them. */
export interface PermittedRoots {
  /** Real paths, none inside another. */
  readonly folders: readonly string[];
  /** Whether a real path (as `fs.realpath` gives it) lies in one of them. */
  contains(realPath: string): boolean;
  /**
   * The absolute path of something that exists, links kept as they are.
   *
   * @throws LoupeError `not-permitted` outside the roots, `not-found` inside them.
   */
  existing(path: string): Promise<string>;
  /**
   * The absolute path of a file to be written: its folder must lie inside the roots, and so must the file, if there is one.
   *
   * @throws LoupeError `not-permitted`, `not-found` when the folder does not exist.
   */
  target(path: string): Promise<string>;
  /**
   * The absolute path of a folder or file to be written: a folder that is there, its links resolved, or as {@link target}.
   *
   * @throws LoupeError `not-permitted`, `not-found` when the folder above does not exist.
   */
  output(path: string): Promise<string>;
}

/** Whether `path` is `folder` or lies below it; both absolute. */
export const isInside = (folder: string, path: string): boolean => {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
};

/**
 * Whether a path leads to another machine, or past the file system, by its form alone: only Windows has such paths, and asking
 * for one there already sends the user's credentials to whoever it names.
 */
export const isRemote = (path: string, platform: NodeJS.Platform): boolean =>
  platform === 'win32' && /^[\\/]{2}/.test(path);

const realOrUndefined = async (path: string): Promise<string | undefined> => {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
};

const outside = (path: string): LoupeError =>
  new LoupeError('not-permitted', `${path} is outside the folders this page may use; start with --root to allow more`, {
    path,
  });

const missing = (path: string): LoupeError => new LoupeError('not-found', `${path} does not exist`, { path });

/** Resolves the folders given; those that do not exist are left out, and so are those inside another. */
export const createPermittedRoots = async (folders: readonly string[]): Promise<PermittedRoots> => {
  const real = (await Promise.all(folders.map((folder) => realOrUndefined(resolve(folder))))).filter(
    (folder) => folder !== undefined,
  );
  const distinct = [...new Set(real)];
  const roots = distinct.filter((folder) => !distinct.some((other) => other !== folder && isInside(other, folder)));
  const contains = (path: string): boolean => roots.some((root) => isInside(root, path));
  const lookUp = (absolute: string): Promise<string | undefined> => {
    if (isRemote(absolute, process.platform) && !contains(absolute)) {
      throw outside(absolute);
    }
    return realOrUndefined(absolute);
  };

  const existing = async (path: string): Promise<string> => {
    const absolute = resolve(path);
    const where = await lookUp(absolute);
    if (where !== undefined) {
      if (contains(where)) {
        return absolute;
      }
      throw outside(absolute);
    }
    // Say "does not exist" only of places the page may know about.
    const folder = await realOrUndefined(dirname(absolute));
    throw folder !== undefined && contains(folder) ? missing(absolute) : outside(absolute);
  };

  const target = async (path: string): Promise<string> => {
    const absolute = resolve(path);
    const folder = await existing(dirname(absolute));
    const file = await realOrUndefined(absolute);
    if (file !== undefined && !contains(file)) {
      throw outside(absolute);
    }
    return join(folder, basename(absolute));
  };

  return {
    folders: roots,
    contains,
    existing,
    target,
    output: async (path) => {
      const real = await lookUp(resolve(path));
      // A root itself may be written into, though the folder above it may not.
      const isFolder = real !== undefined && contains(real) && (await stat(real)).isDirectory();
      return isFolder ? real : target(path);
    },
  };
};
