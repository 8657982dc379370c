import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { root } from '../../scripts/run.mjs';

const STAND_FOR_ELECTRON = join(import.meta.dirname, 'older-electron.cjs');
/** What Node lacks is there before anything else runs, in the main process as in each worker. */
const PRELUDE = `{\n${readFileSync(join(import.meta.dirname, 'older-node.cjs'), 'utf8')}}`;

/** Packages whose files find each other by path, and which therefore stay packages. */
export const KEPT_PACKAGES = ['koffi', 'piscina'];

const isExternal = (id, importer) =>
  id.startsWith('node:') || KEPT_PACKAGES.includes(id) || (id === 'electron' && importer === STAND_FOR_ELECTRON);

/** Leads imports of Electron to what makes an older one look like a newer. */
const olderElectron = {
  name: 'older-electron',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'electron' && importer !== STAND_FOR_ELECTRON ? STAND_FOR_ELECTRON : undefined),
};

/** Builds scripts as CommonJS with everything in them but Node, Electron and {@link KEPT_PACKAGES}. */
const buildScripts = (input, outDir, target, output) =>
  build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [olderElectron],
    resolve: { conditions: ['node', 'import', 'default'] },
    ssr: { noExternal: true, external: KEPT_PACKAGES },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target,
      minify: false,
      rolldownOptions: { input, external: isExternal, output: { format: 'cjs', ...output } },
    },
  });

const buildPage = (outDir, target) =>
  build({
    configFile: false,
    root: join(root, 'src/renderer'),
    base: './',
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target, cssTarget: target, assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 },
  });

/**
 * Builds the program for an Electron that is too old for the build as it is shipped, into a folder which that Electron can
 * start: CommonJS in the main process, syntax and styles for its Chromium, and what it lacks from older-node.cjs and
 * older-electron.cjs.
 *
 * @param {{ folder: string, chrome: number, node: number }} options major versions of the runtime's Chromium and Node
 */
export const buildForOlder = async ({ folder, chrome, node }) => {
  const out = (name) => join(folder, 'out', name);
  mkdirSync(folder, { recursive: true });
  await buildScripts(
    { index: join(root, 'src/main/index.ts'), 'scan-worker': join(root, 'src/node/scan/scan-worker.ts') },
    out('main'),
    `node${node}`,
    { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', banner: PRELUDE },
  );
  await buildScripts({ index: join(root, 'src/preload/index.ts') }, out('preload'), `chrome${chrome}`, {
    entryFileNames: '[name].cjs',
  });
  await buildPage(out('renderer'), `chrome${chrome}`);
  const {
    name,
    productName = 'Tensor Loupe',
    version,
    dependencies,
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const kept = Object.fromEntries(KEPT_PACKAGES.map((dependency) => [dependency, dependencies[dependency]]));
  const manifest = { name, productName, version, main: 'out/main/index.js', dependencies: kept };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const shared of ['node_modules', 'samples']) {
    symlinkSync(join(root, shared), join(folder, shared), 'junction');
  }
};
