import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import WebSocket from 'ws';
import type { RecentFiles } from '../../src/node/recent-files.ts';
import { connectInspector, type InspectorClient, serveInspector } from '../../src/rpc/inspector.ts';
import { socketWire } from '../../src/rpc/wires.ts';
import { type BrowserContext, createBrowserApi } from '../../src/server/browser-api.ts';
import { type BrowserServer, startBrowserServer } from '../../src/server/browser-server.ts';
import { Downloads } from '../../src/server/downloads.ts';
import { createPermittedRoots } from '../../src/server/permitted-roots.ts';
import { type FakeExport, fakeService, type ServiceLog } from './fake-service.ts';

const memoryRecents = (): RecentFiles => {
  const files: string[] = [];
  return {
    list: () => files.map((path) => ({ path, openedAt: 0 })),
    add: (path) => void files.unshift(path),
    forget: () => void files.splice(0),
  };
};

/** A server that runs, and what its pages did. */
export interface Setup {
  readonly server: BrowserServer;
  readonly log: ServiceLog;
  readonly recents: RecentFiles;
}

/** What a test may want otherwise. */
export interface StartOptions {
  readonly export?: FakeExport;
  readonly idleCloseSeconds?: number;
  readonly frameLimit?: number;
  readonly requestMilliseconds?: number;
  readonly ownUserOnly?: boolean;
  /** Another service than one that only writes down what it was asked. */
  readonly makeService?: BrowserContext['makeService'];
}

const makeFiles = (): string => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loupe-server-')));
  for (const folder of ['page/assets', 'models', 'out']) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  writeFileSync(join(base, 'page/index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(base, 'page/assets/index-1.js'), 'export {};');
  writeFileSync(join(base, 'models/a.safetensors'), 'a');
  writeFileSync(join(base, 'out/secret'), 'secret');
  symlinkSync(join(base, 'out/secret'), join(base, 'page/assets/link.js'));
  return base;
};

const startIn = async (base: string, options: StartOptions): Promise<Setup> => {
  const log: ServiceLog = { calls: [], disposed: 0 };
  const downloads = new Downloads();
  const recents = memoryRecents();
  const context = {
    makeService: options.makeService ?? fakeService(log, options.export),
    roots: await createPermittedRoots([join(base, 'models')]),
    recents,
    downloads,
    version: '1.2.3',
    launchPaths: [join(base, 'models/a.safetensors')],
  };
  const server = await startBrowserServer({
    port: 0,
    pageFolder: join(base, 'page'),
    downloads,
    idleCloseSeconds: options.idleCloseSeconds,
    ownUserOnly: options.ownUserOnly ?? false,
    ...(options.frameLimit === undefined ? {} : { frameLimit: options.frameLimit }),
    ...(options.requestMilliseconds === undefined ? {} : { requestMilliseconds: options.requestMilliseconds }),
    onPage: (wire) =>
      serveInspector(wire, (peer) => {
        const { api, release } = createBrowserApi(peer, context);
        wire.onClose(release);
        return api;
      }),
  });
  return { server, log, recents };
};

/**
 * Files for a server (a page, a folder of models that is its root, a secret outside) while the tests of a file run, and
 * servers over them that end with each test.
 */
export const serversForTests = (): { base(): string; start(options?: StartOptions): Promise<Setup> } => {
  let base = '';
  const running: BrowserServer[] = [];
  beforeAll(() => {
    base = makeFiles();
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });
  return {
    base: () => base,
    start: async (options = {}) => {
      const setup = await startIn(base, options);
      running.push(setup.server);
      return setup;
    },
  };
};

/** An answer of a server; `whole` is false when it broke off. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly whole: boolean;
}

/** Asks a server over a connection of its own, the path exactly as given. */
export const get = (server: BrowserServer, path: string, more: RequestOptions = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: server.port, path, agent: false, ...more }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces).toString('latin1'),
          whole: response.complete,
        }),
      );
    });
    call.on('error', reject);
    call.end();
  });

/** Origin of the page a server serves. */
export const originOf = (server: BrowserServer): string => `http://127.0.0.1:${server.port}`;

/** Opens a WebSocket; rejects with the status it was refused with. */
export const openSocket = (server: BrowserServer, query: string, headers: Record<string, string>): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws${query}`, { headers });
    socket.on('open', () => resolve(socket));
    socket.on('error', reject);
  });

/** Connects as a page does. */
export const openPage = async (server: BrowserServer): Promise<InspectorClient & { readonly socket: WebSocket }> => {
  const socket = await openSocket(server, `?token=${server.token}`, { origin: originOf(server) });
  const page = { readPageFile: () => Promise.reject(new Error('no file')) };
  return { ...connectInspector(socketWire(socket), page), socket };
};

/** Parameters of any download. */
export const PREPARE = { sessionId: 0, tensorId: 0, format: 'f32' } as const;

/** `count` pieces of `size` bytes, each filled with its number, one after the other. */
export const pieces = async function* (count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) {
    await sleep(0);
    yield new Uint8Array(size).fill(index);
  }
};
