import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { switches } from '../../electron-real/start-electron.ts';
import { scanned } from '../support/browser.ts';

/** Where `npm run test:electron` has packaged the program; nothing runs otherwise. */
const packaged = process.env.LOUPE_TEST_PACKAGED ?? '';
const executable = join(packaged, process.platform === 'win32' ? 'Tensor Loupe.exe' : 'tensor-loupe');
const resources = join(packaged, 'resources');

const DEVTOOLS = /DevTools listening on (ws:\/\/\S+)/;

/** States of a fuse, as they stand in the wire: the digits 0 and 1. */
const [DISABLED, ENABLED] = [0x30, 0x31];

interface AsarEntry {
  readonly files?: Readonly<Record<string, AsarEntry>>;
}

const pathsBelow = ({ files = {} }: AsarEntry): readonly string[] =>
  Object.entries(files).flatMap(([name, entry]) =>
    entry.files === undefined ? [name] : pathsBelow(entry).map((path) => `${name}/${path}`),
  );

/** Paths of the files of an archive, from its header: JSON of the length at byte 12, from byte 16 on. */
const listArchive = (path: string): readonly string[] => {
  const bytes = readFileSync(path);
  return pathsBelow(JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))));
};

if (packaged === '') {
  process.stdout.write('skipped: no packaged program was named; npm run test:electron makes one and runs it\n');
}

describe.skipIf(packaged === '')('the packaged program, in Electron', () => {
  let settings = '';
  let child: ChildProcess | undefined;
  let browser: Browser | undefined;

  afterEach(async () => {
    child?.kill('SIGKILL');
    await browser?.close().catch(() => undefined);
    rmSync(settings, { recursive: true, force: true });
  });

  /** Starts it and answers its page and its end. No inspector of Node can be had: a fuse forbids it. */
  const start = async (...files: readonly string[]): Promise<{ page: Page; ended: Promise<number | null> }> => {
    settings = mkdtempSync(join(tmpdir(), 'loupe-packaged-'));
    const running = spawn(executable, [...switches, '--remote-debugging-port=0', ...files], {
      env: { ...process.env, XDG_CONFIG_HOME: settings, LOUPE_SETTINGS_DIR: settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = running;
    const ended = new Promise<number | null>((resolve) => running.once('exit', resolve));
    const address = await new Promise<string>((resolve, reject) => {
      let printed = '';
      running.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const found = DEVTOOLS.exec(printed)?.[1];
        if (found !== undefined) {
          resolve(found);
        }
      });
      running.once('exit', (code) => reject(new Error(`it ended with ${code}: ${printed}`)));
    });
    browser = await chromium.connectOverCDP(address, { noDefaults: true });
    const [context] = browser.contexts();
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
    if (page === undefined) {
      throw new Error('there is no window');
    }
    return { page, ended };
  };

  it('opens and scans the sample that comes with it: workers run inside the archive, koffi beside it', async () => {
    const { page, ended } = await start();
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await scanned(page);
    expect(page.url()).toBe('app://loupe/');
    expect(await page.locator('.facts').textContent()).toContain('59 tensors');
    await page.getByTestId('verdict').filter({ hasText: '8 warnings' }).waitFor();
    await page.close();
    expect(await ended).toBe(0);
  });

  it('opens the file it is started with', async () => {
    const { page } = await start(join(resources, 'samples', 'sample.safetensors'));
    await page.getByRole('tab', { name: 'sample.safetensors' }).waitFor();
    await scanned(page);
  });

  it('holds what it needs, and nothing else', () => {
    const files = listArchive(join(resources, 'app.asar'));
    for (const path of [
      'package.json',
      'out/main/scan-worker.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
    ]) {
      expect(files).toContain(path);
    }
    expect(files.filter((path) => !/^(out\/|node_modules\/|package\.json$|LICENSE$)/.test(path))).toEqual([]);
    expect(files.filter((path) => /\.(ts|map|md|cc|hh|cpp|h)$/.test(path))).toEqual([]);
    expect(existsSync(join(resources, 'samples', 'sample.safetensors'))).toBe(true);
    const unpacked = join(resources, 'app.asar.unpacked');
    expect(readdirSync(unpacked)).toEqual(['node_modules']);
    expect(readdirSync(join(unpacked, 'node_modules')).sort()).toEqual(['@koromix', 'koffi']);
  });

  it('has its fuses flipped', async () => {
    const wire = await getCurrentFuseWire(executable);
    expect({
      runAsNode: wire[FuseV1Options.RunAsNode],
      nodeOptions: wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
      inspect: wire[FuseV1Options.EnableNodeCliInspectArguments],
      integrity: wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
      onlyAsar: wire[FuseV1Options.OnlyLoadAppFromAsar],
    }).toEqual({
      runAsNode: DISABLED,
      nodeOptions: DISABLED,
      inspect: DISABLED,
      integrity: ENABLED,
      onlyAsar: ENABLED,
    });
  });
});
