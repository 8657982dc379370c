import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { root } from '../../scripts/run.mjs';

const here = import.meta.dirname;

/** Packages whose files find each other by path, and which therefore stay files. */
const FILES = ['koffi', 'piscina'];

/** What `require` finds at run time. */
const external = (id, importer) =>
  id.startsWith('node:') ||
  FILES.includes(id) ||
  (id === 'electron' && importer?.endsWith('older-electron.cjs') === true);

/**
 * Builds the program for an Electron older than 28, which knows no modules in its main process, into a folder that this
 * Electron can start.
 */
export const buildForOlder = async ({ folder, chrome, node }) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const common = { configFile: false, root, logLevel: 'warn' };
  const scripts = (entries, name, prelude) =>
    build({
      ...common,
      resolve: { conditions: ['node', 'import', 'default'] },
      ssr: { noExternal: true, external: FILES },
      build: {
        ssr: true,
        outDir: join(folder, 'out', name),
        emptyOutDir: true,
        target: `node${node}`,
        minify: false,
        rolldownOptions: {
          input: entries,
          external,
          output: {
            format: 'cjs',
            entryFileNames: name === 'preload' ? '[name].cjs' : '[name].js',
            chunkFileNames: 'chunks/[name]-[hash].js',
            banner: prelude,
          },
        },
      },
      plugins: [
        {
          name: 'older-electron',
          enforce: 'pre',
          resolveId: (id, importer) =>
            id === 'electron' && !importer?.endsWith('older-electron.cjs')
              ? join(here, 'older-electron.cjs')
              : undefined,
        },
      ],
    });
  const prelude = readFileSync(join(here, 'older-node.cjs'), 'utf8');
  await scripts(
    { index: join(root, 'src/main/index.ts'), 'scan-worker': join(root, 'src/node/scan/scan-worker.ts') },
    'main',
    `{${prelude}}`,
  );
  await scripts({ index: join(root, 'src/preload/index.ts') }, 'preload', '');
  await build({
    ...common,
    root: join(root, 'src/renderer'),
    base: './',
    plugins: [react()],
    build: {
      outDir: join(folder, 'out/renderer'),
      emptyOutDir: true,
      target: `chrome${chrome}`,
      cssTarget: `chrome${chrome}`,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      modulePreload: { polyfill: false },
    },
  });
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, productName: 'Tensor Loupe', version, main: 'out/main/index.js' }),
  );
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  symlinkSync(join(root, 'samples'), join(folder, 'samples'), 'junction');
};
if (process.argv[2]) await buildForOlder({ folder: process.argv[2], chrome: 108, node: 16 });
