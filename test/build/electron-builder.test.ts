import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration } from 'electron-builder';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
/** electron-builder's own reading and checking of a configuration; the package shows neither. */
const builder = createRequire(require.resolve('electron-builder'));
const { getConfig, validateConfiguration } = builder('app-builder-lib/out/util/config/config');
const { DebugLogger } = builder('builder-util');

let configuration: Configuration;
beforeAll(async () => {
  configuration = await getConfig(root, 'build/electron-builder.yml', null);
});

describe('the packaging configuration', () => {
  it('is one that electron-builder accepts', async () => {
    await validateConfiguration(configuration, new DebugLogger(false));
  });

  it('flips every fuse that would turn the program into another', () => {
    expect(configuration.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
      resetAdHocDarwinSignature: true,
    });
  });

  it('makes AppImage and deb, dmg, nsis, for the Electron that is installed', () => {
    const { linux, mac, win, electronVersion } = configuration;
    expect([linux?.target, mac?.target, win?.target]).toEqual([['AppImage', 'deb'], ['dmg'], ['nsis']]);
    const { version } = require('electron/package.json');
    expect(electronVersion).toBe(version);
  });

  it('keeps in the archive everything but native modules', () => {
    expect(configuration.asar).toBe(true);
    expect(configuration.asarUnpack).toEqual(['node_modules/koffi/**', 'node_modules/@koromix/**']);
  });

  it('associates the files that the open dialog offers, but for the endings that are anybody’s', () => {
    const associations = configuration.fileAssociations ?? [];
    const endings = (Array.isArray(associations) ? associations : [associations]).flatMap(({ ext }) => ext);
    const offered = /extensions: \[(.*'safetensors'.*)\]/.exec(readFileSync(join(root, 'src/main/dialogs.ts'), 'utf8'));
    const wanted = (offered?.[1] ?? '').match(/\w+/g)?.filter((ending) => !['json', 'bin'].includes(ending));
    expect(endings.toSorted()).toEqual(wanted?.toSorted());
  });

  it('has its icons', () => {
    const { linux, mac, win } = configuration;
    const sizes = [16, 32, 48, 64, 128, 256, 512].map((size) => `${linux?.icon}/${size}x${size}.png`);
    for (const icon of [mac?.icon, win?.icon, ...sizes]) {
      expect([icon, existsSync(join(root, String(icon)))]).toEqual([icon, true]);
    }
  });
});
