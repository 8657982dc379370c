import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How the program was started. */
export interface Launch {
  /** `process.argv`, the program first. */
  readonly argv: readonly string[];
  /** Working directory that relative paths are meant from. */
  readonly folder: string;
  /** Whether it runs as itself; if not, the first argument is the application's folder. */
  readonly packaged: boolean;
}

const toPath = (argument: string, folder: string): string | undefined => {
  if (!/^file:/i.test(argument)) {
    return resolve(folder, argument);
  }
  try {
    return fileURLToPath(argument);
  } catch {
    // A file URL of another machine, or a malformed one, names no file here.
    return undefined;
  }
};

/**
 * Absolute paths of the files on a command line. Options are Chromium's or macOS's own and are left out, as are empty
 * arguments; after `--` everything is a file. A `file:` URL, as some desktops pass, counts as its path.
 */
export const launchPaths = ({ argv, folder, packaged }: Launch): readonly string[] => {
  const end = argv.indexOf('--');
  const before = argv.slice(1, end < 0 ? undefined : end).filter((argument) => !argument.startsWith('-'));
  const after = end < 0 ? [] : argv.slice(end + 1);
  const files = [...before.slice(packaged ? 0 : 1), ...after].filter((argument) => argument !== '');
  return files.map((argument) => toPath(argument, folder)).filter((path) => path !== undefined);
};

/** The paths a second launch sent along with its request for the lock, if they are what they should be. */
export const sentPaths = (data: unknown): readonly string[] | undefined => {
  const paths = typeof data === 'object' && data !== null && 'paths' in data ? data.paths : undefined;
  return Array.isArray(paths) && paths.every((path) => typeof path === 'string') ? paths : undefined;
};
