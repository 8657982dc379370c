import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';

/** Folders for one test file: `make()` returns a fresh one. All of them are removed when the file is done. */
export const temporaryFolders = (): { make(): string } => {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return {
    make: () => {
      const folder = mkdtempSync(join(tmpdir(), 'tensor-loupe-test-'));
      made.push(folder);
      return folder;
    },
  };
};

/** Closes what a test opened, whether it passed or not. */
export const closeAfterEach = (): (<T extends { close(): void }>(closeable: T) => T) => {
  const opened: { close(): void }[] = [];
  afterEach(() => {
    for (const closeable of opened.splice(0)) {
      closeable.close();
    }
  });
  return (closeable) => {
    opened.push(closeable);
    return closeable;
  };
};
