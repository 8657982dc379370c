import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, Platform } from 'electron-builder';
import { root } from '../../scripts/run.mjs';
import { KEPT_PACKAGES } from './build-for-older.mjs';

const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
/** electron-builder's own reading of its configuration, which its package does not show. */
const { getConfig } = builder('app-builder-lib/out/util/config/config');

/** Fuses that older runtimes do not have, with the first version that does. */
const NEWER_FUSES = { grantFileProtocolExtraPrivileges: 29 };

/**
 * What electron-builder packages of a program built for an older Electron: its packages as folders rather than links, since
 * nothing outside may be linked to from an archive.
 */
const projectOf = (appFolder, folder) => {
  cpSync(appFolder, folder, { recursive: true, filter: (path) => !/[/\\](node_modules|samples)$/.test(path) });
  for (const name of [...KEPT_PACKAGES, '@koromix']) {
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  }
  for (const name of ['build', 'samples', 'LICENSE']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  return folder;
};

/**
 * Packages the program as build/electron-builder.yml says, around a runtime that is here already.
 *
 * @param {{ electron: string, runtimeFolder: string, appFolder: string, folder: string }} options `appFolder` is the
 *   repository's own, or what build-for-older.mjs made; `folder` takes the result
 * @returns {Promise<string>} folder of the packaged program
 */
export const packageForTest = async ({ electron, runtimeFolder, appFolder, folder }) => {
  mkdirSync(folder, { recursive: true });
  const projectDir = appFolder === root ? root : projectOf(appFolder, join(folder, 'project'));
  const configuration = await getConfig(root, 'build/electron-builder.yml', null);
  for (const [fuse, first] of Object.entries(NEWER_FUSES)) {
    if (Number.parseInt(electron, 10) < first) {
      delete configuration.electronFuses[fuse];
    }
  }
  // Hard links would let the packager flip the fuses of the runtime it was given.
  process.env.USE_HARD_LINKS = 'false';
  await build({
    projectDir,
    targets: Platform.current().createTarget('dir'),
    publish: 'never',
    config: {
      ...configuration,
      electronVersion: electron,
      electronDist: runtimeFolder,
      directories: { output: join(folder, 'dist'), buildResources: 'build' },
    },
  });
  rmSync(join(folder, 'project'), { recursive: true, force: true });
  return join(folder, 'dist', `${process.platform === 'linux' ? 'linux' : 'win'}-unpacked`);
};
