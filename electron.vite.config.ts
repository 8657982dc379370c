import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

/** In `electron-vite dev` vite writes scripts and styles into the page, which its policy forbids: only built pages carry it. */
const withoutPolicyInDev = {
  name: 'without-policy-in-dev',
  apply: 'serve' as const,
  transformIndexHtml: (html: string) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

/** Three builds: the main process and its scan worker, the preload script, the page (which the browser version serves too). */
export default defineConfig({
  main: {
    build: {
      externalizeDeps: true,
      sourcemap: false,
      rolldownOptions: {
        input: {
          index: resolve('src/main/index.ts'),
          'scan-worker': resolve('src/node/scan/scan-worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload has no module loader: one CommonJS file with everything in it.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    plugins: [react(), withoutPolicyInDev],
    build: {
      minify: true,
      // Loaded from this machine, so that one file is as quick as several.
      chunkSizeWarningLimit: 2_000,
      // The policy allows images as data URLs but no fonts or scripts; small files stay files.
      assetsInlineLimit: 0,
      rolldownOptions: { input: resolve('src/renderer/index.html') },
    },
  },
});
