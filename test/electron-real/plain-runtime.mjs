import { cpSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files in the folder of a packaged program that are the packager's or that program's own. */
const NOT_ELECTRON = /^(usr|AppRun|\.DirIcon|.*\.desktop)$/;

const link = (from, to) => {
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
};

/** Copies a folder with links to its files, which take no room; across file systems the files are copied. */
const linkFolder = (from, to, leaveOut) => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!leaveOut.test(entry.name)) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) {
        linkFolder(source, target, /^$/);
      } else {
        link(source, target);
      }
    }
  }
};

const resourcesOf = (executable) => join(dirname(executable), 'resources');

const isPackaged = (executable) =>
  ['app.asar', 'app'].some((program) => existsSync(join(resourcesOf(executable), program)));

/**
 * Makes a copy, without any program in it, of a runtime that came as part of a packaged one. The executable itself is no link:
 * packagers change it in place.
 */
const withoutProgram = (executable, folder) => {
  const name = basename(executable);
  linkFolder(dirname(executable), folder, new RegExp(`${NOT_ELECTRON.source}|^(resources|${name})$`));
  mkdirSync(join(folder, 'resources'));
  // Electron takes itself for a packaged program unless it has this name.
  const plain = join(folder, 'electron');
  cpSync(executable, plain);
  return plain;
};

/**
 * A runtime that starts the application it is given. A plain Electron is answered as it is; of one that came as part of a
 * packaged program a copy is made in `folder`.
 *
 * @param {string} executable
 * @param {string} folder one that does not exist
 * @returns {string} the executable to use
 */
export const plainRuntime = (executable, folder) => {
  if (!isPackaged(executable)) {
    return executable;
  }
  const plain = withoutProgram(executable, folder);
  cpSync(join(import.meta.dirname, 'starter'), join(folder, 'resources', 'app'), { recursive: true });
  return plain;
};

/**
 * The folder of a runtime as Electron's own archive holds it, for a packager to start from. As {@link plainRuntime} otherwise.
 *
 * @returns {string}
 */
export const runtimeToPackage = (executable, folder) =>
  dirname(isPackaged(executable) ? withoutProgram(executable, folder) : executable);
