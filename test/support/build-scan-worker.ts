import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the scan engine's worker, compiled from the sources as they are now. */
    scanWorker: string;
  }
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Before the unit tests: compiles the scan engine's worker, since a worker thread of Node 20 cannot run TypeScript. Tests get
 * its path by `inject('scanWorker')`. Each run has its own, so that several can go on at once.
 */
export const setup = async (project: TestProject): Promise<() => void> => {
  const folder = join(root, 'out', `test-worker-${process.pid}`);
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: join(root, 'src/node/scan/scan-worker.ts'),
      outDir: folder,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
  project.provide('scanWorker', join(folder, 'scan-worker.mjs'));
  return () => rmSync(folder, { recursive: true, force: true });
};
