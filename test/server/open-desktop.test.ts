import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import WebSocket from 'ws';
import { connectInspector, type InspectorClient } from '../../src/rpc/inspector.ts';
import { socketWire } from '../../src/rpc/wires.ts';
import { openDesktop } from '../../src/server/open-desktop.ts';
import type { PackageFiles } from '../../src/server/package-files.ts';
import {
  type RunningBrowserVersion,
  serveBrowserVersion,
  startBrowserVersion,
  untilStopped,
} from '../../src/server/serve-browser-version.ts';
import { fakeElectron, fakePackage, program, write } from './fake-package.ts';

let base = '';
let files: PackageFiles;
let printed: { out: string; err: string };

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'loupe-desktop-')));
  files = fakePackage(join(base, 'package'), inject('scanWorker'));
  printed = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.err += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const log = (): string => join(base, 'log');
const record = (code: string): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(log())}, JSON.stringify({
     argv: process.argv.slice(2), asNode: process.env.ELECTRON_RUN_AS_NODE }));\n${code}`;

const connect = async (running: RunningBrowserVersion): Promise<InspectorClient> => {
  const { origin, port, hash } = new URL(running.url);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?${hash.slice(1)}`, { headers: { origin } });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return connectInspector(socketWire(socket), { readPageFile: () => Promise.reject(new Error('none')) });
};

describe('opening the desktop program', () => {
  it('runs Electron with the package and the files, and nothing else', async () => {
    vi.stubEnv('ELECTRON_RUN_AS_NODE', '1');
    fakeElectron(files.root, '', record(''));
    await openDesktop(['/models/a.safetensors', 'b.pt'], files);
    expect(JSON.parse(readFileSync(log(), 'utf8'))).toEqual({
      argv: [files.root, '/models/a.safetensors', join(process.cwd(), 'b.pt')],
    });
    expect(printed).toEqual({ out: '', err: '' });
  });

  it.each([
    ['Electron ended at once with code 7', () => fakeElectron(files.root, '', 'process.exit(7)')],
    ["Electron's program could not be fetched", () => fakeElectron(files.root, 'process.exit(1)')],
    ['Electron is not installed', () => undefined],
    ['the desktop program is not built', () => rmSync(files.electronMain)],
  ])('says in one line that %s, and serves the browser version until its window closes', async (why, prepare) => {
    prepare();
    const ws = JSON.stringify(createRequire(import.meta.url).resolve('ws'));
    const browser = program(
      join(base, 'browser'),
      record(`
        const url = new URL(process.argv[2].slice('--app='.length));
        const socket = new (require(${ws}))('ws://' + url.host + '/ws?' + url.hash.slice(1), { headers: { origin: url.origin } });
        socket.on('open', () => setTimeout(() => process.exit(0), 100));
        socket.on('error', () => process.exit(1));`),
    );
    vi.stubEnv('CHROME_PATH', browser);
    vi.stubEnv('DISPLAY', ':99');
    await openDesktop([files.sample], files);
    expect(printed.err).toBe(`${why}; opening the browser version instead.\n`);
    expect(printed.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
  });

  it('keeps serving when no window can be shown, and says so', async () => {
    vi.stubEnv('CHROME_PATH', program(join(base, 'browser'), 'process.exit(1)'));
    vi.stubEnv('DISPLAY', ':99');
    const done = openDesktop([], files);
    await vi.waitFor(() => expect(printed.err).toContain('No window could be shown'), 5000);
    process.emit('SIGTERM');
    await done;
  });
});

describe('serving the browser version', () => {
  it('prints the address alone, and ends on Ctrl+C', async () => {
    const done = serveBrowserVersion({ open: false, files: [files.sample] }, files);
    await vi.waitFor(() => expect(printed.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/), 5000);
    process.emit('SIGINT');
    await done;
    expect(printed.err).toBe('');
  });

  it('opens what it was given: the folder of a file, and the one its link leads to', async () => {
    const blob = write(join(base, 'blobs/abc'), readFileSync(files.sample, 'latin1'));
    write(join(base, 'snapshot/config.json'), '{}');
    symlinkSync(blob, join(base, 'snapshot/model.safetensors'));
    const running = await startBrowserVersion(
      { files: [join(base, 'snapshot/model.safetensors')], roots: [join(base, 'package')] },
      files,
    );
    const { api } = await connect(running);
    const listing = await api.listFolder({});
    expect(listing.path).toBe(join(base, 'snapshot'));
    expect(listing.entries.map(({ name }) => name)).toEqual(['config.json', 'model.safetensors']);
    const { launchPaths } = await api.shell({});
    const opened = await api.open({ kind: 'path', path: launchPaths[0] ?? '' });
    expect(opened.title).toBe('model.safetensors');
    await expect(api.open({ kind: 'path', path: join(base, 'log') })).rejects.toMatchObject({ code: 'not-permitted' });
    await running.stop();
  });

  it('scans the sample, whose place is not in any root', async () => {
    const running = await startBrowserVersion({ roots: [join(base, 'package')] }, files);
    const { api } = await connect(running);
    const { sessionId, summary } = await api.open({ kind: 'sample' });
    const { scanned, skipped } = await api.scanAll({ sessionId });
    expect(scanned + skipped).toBe(summary.tensors);
    await running.stop();
  });

  it('ends by itself when told to, once nobody looks', async () => {
    const running = await startBrowserVersion({ idleClose: 0.2 }, files);
    await untilStopped(running);
    expect(running.pagesSeen()).toBe(0);
  });

  it('refuses a file that is not there, and a package that is not built', async () => {
    await expect(startBrowserVersion({ files: [join(base, 'none')] }, files)).rejects.toMatchObject({
      code: 'not-found',
    });
    rmSync(join(files.page, 'index.html'));
    await expect(startBrowserVersion({}, files)).rejects.toMatchObject({ code: 'not-built' });
  });
});
