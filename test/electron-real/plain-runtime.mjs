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

/**
 * A runtime that starts the application it is given. A plain Electron is answered as it is; of one that came as part of a
 * packaged program a copy is made in `folder`, without that program.
 *
 * @param {string} executable
 * @param {string} folder one that does not exist
 * @returns {string} the executable to use
 */
export const plainRuntime = (executable, folder) => {
  const resources = join(dirname(executable), 'resources');
  if (!existsSync(join(resources, 'app.asar')) && !existsSync(join(resources, 'app'))) {
    return executable;
  }
  const name = basename(executable);
  linkFolder(dirname(executable), folder, new RegExp(`${NOT_ELECTRON.source}|^(resources|${name})$`));
  // Electron takes itself for a packaged program unless it has this name.
  const plain = join(folder, 'electron');
  link(executable, plain);
  cpSync(join(import.meta.dirname, 'starter'), join(folder, 'resources', 'app'), { recursive: true });
  return plain;
};
