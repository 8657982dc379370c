import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Two projects: `unit` (unit, property and fuzz tests, on the sources) and `browser` (the system's Chromium against what
 * `npm run build` made; one file at a time, since each starts a server and a browser).
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          globalSetup: 'test/support/build-scan-worker.ts',
          exclude: ['test/e2e/**'],
          environment: 'node',
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/e2e/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          // After the unit tests, which would keep its processors busy.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
    // Settings of whoever runs the tests stay untouched.
    env: { LOUPE_SETTINGS_DIR: join(tmpdir(), 'tensor-loupe-test-settings') },
  },
});
