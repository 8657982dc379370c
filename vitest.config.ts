import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Test files that put something else in the place of a module, which needs a process that has not loaded it yet. */
const replacingModules = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => join('test', path))
  .filter((path) => /\bvi\.(doMock|mock|resetModules)\(/.test(readFileSync(join(import.meta.dirname, path), 'utf8')));
/** These start the whole main process with another Electron. */
const ELECTRON = ['test/main/**/*.test.ts', 'test/preload/**/*.test.ts'];

const UNIT = {
  globalSetup: 'test/support/build-scan-worker.ts',
  environment: 'node',
  // Starting a process takes long on a busy machine.
  testTimeout: 60_000,
} as const;

/**
 * Three projects: `unit` (unit, property and fuzz tests, on the sources), `mocked` (the same, each file in a process of its
 * own) and `browser` (the system's Chromium against what `npm run build` made). Files of `unit` share processes, since starting
 * one and loading the sources would take longer than most tests: a test leaves nothing behind, as everything else here.
 */
export default defineConfig({
  test: {
    // Half of the browser tests' time is waiting; with two processors one worker would leave the other idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          ...UNIT,
          name: 'unit',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: ['test/e2e/**', ...ELECTRON, ...replacingModules],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...UNIT, name: 'mocked', include: [...ELECTRON, ...replacingModules] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/e2e/**/*.test.ts'],
          environment: 'node',
          // As patient as the browser's own waiting.
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
    // Settings of whoever runs the tests stay untouched.
    env: { LOUPE_SETTINGS_DIR: join(tmpdir(), 'tensor-loupe-test-settings') },
  },
});
