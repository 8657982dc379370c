import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The repository's folder. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** Files of `test/fixtures`. */
export const fixture = (path: string): string => join(ROOT, 'test/fixtures', path);

/** A running browser version. */
export interface Server {
  /** Address of the page, with the launch's token. */
  readonly url: string;
  stop(): Promise<void>;
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/;
const START_TIMEOUT_MS = 20_000;

/** Starts `loupe serve` on a free port with settings of its own, and waits for the address it prints. */
export const startServer = async (...files: readonly string[]): Promise<Server> => {
  const settings = mkdtempSync(join(tmpdir(), 'loupe-e2e-settings-'));
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'out/lib/cli/loupe.js'),
      'serve',
      '--port',
      '0',
      '--no-open',
      '--root',
      ROOT,
      '--root',
      tmpdir(),
      ...files,
    ],
    { env: { ...process.env, LOUPE_SETTINGS_DIR: settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const url = await new Promise<string>((found, failed) => {
    let printed = '';
    const timer = setTimeout(() => failed(new Error(`the server printed no address: ${printed}`)), START_TIMEOUT_MS);
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const address = ADDRESS.exec(printed)?.[0];
      if (address !== undefined) {
        clearTimeout(timer);
        found(address);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}: ${printed}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill();
      await ended;
      rmSync(settings, { recursive: true, force: true });
    },
  };
};
