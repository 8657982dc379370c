import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** How a child process ended, and what it printed. */
export interface ChildOutcome {
  readonly code: number | null;
  /** Set when a signal ended it: SIGBUS, SIGSEGV, SIGKILL. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A script that runs in a process of its own, so that its crash fails a test instead of ending the run. */
export interface ChildScript {
  /** Runs it to its end. `onLine` is told of each line it prints, and may kill it. */
  run(parameters: readonly string[], onLine?: (line: string, kill: () => void) => void): Promise<ChildOutcome>;
  remove(): void;
}

/** Compiles a TypeScript script of the tests, since Node 20 cannot run it as it is. */
export const buildChildScript = async (url: URL): Promise<ChildScript> => {
  const path = fileURLToPath(url);
  const folder = join(root, 'out', `test-child-${process.pid}-${basename(path, '.ts')}`);
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: path,
      outDir: folder,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: 'child.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
  return {
    run: (parameters, onLine) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [join(folder, 'child.mjs'), ...parameters], {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let stdout = '';
        let stderr = '';
        let told = 0;
        child.stdout.setEncoding('utf8').on('data', (piece: string) => {
          stdout += piece;
          for (let end = stdout.indexOf('\n', told); end >= 0; end = stdout.indexOf('\n', told)) {
            const line = stdout.slice(told, end);
            told = end + 1;
            onLine?.(line, () => child.kill('SIGKILL'));
          }
        });
        child.stderr.setEncoding('utf8').on('data', (piece: string) => {
          stderr += piece;
        });
        child.once('error', reject);
        child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
