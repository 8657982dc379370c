import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { type BrowserServer, startBrowserServer } from '../../src/server/browser-server.ts';
import { Downloads } from '../../src/server/downloads.ts';
import { skipBecause } from '../support/skip-because.ts';
import { get, openPage, openSocket, originOf, PREPARE, pieces, serversForTests } from './servers-for-tests.ts';

const { base, start } = serversForTests();

describe('the address', () => {
  it('is on loopback, with the secret where no browser sends it', async () => {
    const { server } = await start();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/#token=${server.token}`);
    expect(Buffer.from(server.token, 'base64url')).toHaveLength(32);
  });

  it('is nobody else’s: a port that is taken is said to be', async () => {
    const { server } = await start();
    const options = { port: server.port, pageFolder: base(), downloads: new Downloads(), onPage: () => undefined };
    await expect(startBrowserServer({ ...options, idleCloseSeconds: 60 })).rejects.toMatchObject({
      code: 'port-in-use',
    });
  });

  it('is not reachable on other interfaces', async () => {
    const { server } = await start();
    const outcome = await new Promise<string>((resolve) => {
      const socket = connectTcp({ host: '127.0.0.2', port: server.port }, () => resolve('connected'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });
    expect(outcome).toBe('ECONNREFUSED');
  });
});

describe('the page', () => {
  it('is served with every header that fences it in', async () => {
    const { server } = await start();
    const { status, headers, body } = await get(server, '/');
    expect([status, body]).toEqual([200, '<!doctype html><title>page</title>']);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        `connect-src 'self' ws://127.0.0.1:${server.port}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
  });

  it('comes with its files, which may be kept', async () => {
    const { server } = await start();
    const { status, headers, body } = await get(server, '/assets/index-1.js?x=1');
    expect([status, body]).toEqual([200, 'export {};']);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toContain('immutable');
  });

  it('answers HEAD with the head alone', async () => {
    const { server } = await start();
    const { status, headers, body } = await get(server, '/', { method: 'HEAD' });
    expect([status, body, headers['content-length']]).toEqual([200, '', '34']);
  });

  it.each([
    '/../out/secret',
    '/%2e%2e/out/secret',
    '/assets/..%2f..%2fout/secret',
    '/assets/link.js',
    '/assets',
    '/missing',
    '//127.0.0.1/out/secret',
    'http://127.0.0.1/index.html',
    '/index.html/',
  ])('does not hand out %s', async (path) => {
    const { server } = await start();
    const { status, body } = await get(server, path);
    expect([status, body]).toEqual([404, 'not found\n']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])('refuses %s', async (method) => {
    const { server } = await start();
    expect((await get(server, '/', { method })).status).toBe(405);
  });

  it('is refused to a rebound name and to requests of other pages', async () => {
    const { server } = await start();
    expect((await get(server, '/', { headers: { host: `evil.example:${server.port}` } })).status).toBe(403);
    expect((await get(server, '/', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await get(server, '/', { headers: { origin: originOf(server) } })).status).toBe(200);
  });

  it('may be linked to by another page, but is no part of one', async () => {
    const { server } = await start();
    const from = async (mode: string, destination: string): Promise<number> => {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination };
      return (await get(server, '/', { headers })).status;
    };
    expect(await from('navigate', 'document')).toBe(200);
    expect([await from('navigate', 'iframe'), await from('no-cors', 'script')]).toEqual([403, 403]);
  });
});

describe('the WebSocket', () => {
  it.each([
    ['no token', '', {}, 401],
    ['a wrong token', `?token=${'A'.repeat(43)}`, {}, 401],
    ['another origin', 'token', { origin: 'http://evil.example' }, 403],
    ['a rebound host', 'token', { host: 'evil.example' }, 403],
  ])('is refused with %s', async (_name, query, headers, status) => {
    const { server } = await start();
    const url = query === 'token' ? `?token=${server.token}` : query;
    await expect(openSocket(server, url, { origin: originOf(server), ...headers })).rejects.toThrow(`${status}`);
  });

  it('is refused without an origin', async () => {
    const { server } = await start();
    await expect(openSocket(server, `?token=${server.token}`, {})).rejects.toThrow('403');
  });

  it('is refused to another user of the machine, who may have read the address off a command line', async (context) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      skipBecause(context, 'only root under Linux can try to connect as somebody else');
    }
    const { server } = await start({ ownUserOnly: true });
    expect(await (await openPage(server)).api.recents({})).toEqual([]);
    const asNobody = (address: BrowserServer): Promise<string> =>
      new Promise((resolve) => {
        const head = [
          `GET /ws?token=${address.token} HTTP/1.1`,
          `Host: 127.0.0.1:${address.port}`,
          `Origin: ${originOf(address)}`,
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
        ];
        const code = `const socket = require('node:net').connect(${address.port}, '127.0.0.1');
          socket.on('data', (data) => { console.log(String(data)); process.exit(); });
          socket.write(${JSON.stringify(`${head.join('\r\n')}\r\n\r\n`)});`;
        const nobody = { uid: 65_534, gid: 65_534, cwd: '/' };
        execFile(process.execPath, ['-e', code], nobody, (_fault, stdout) => resolve(stdout.split('\r\n')[0] ?? ''));
      });
    expect(await asNobody(server)).toBe('HTTP/1.1 403 Forbidden');
    const { server: open } = await start();
    expect(await asNobody(open)).toBe('HTTP/1.1 101 Switching Protocols');
  });

  it('carries the service', async () => {
    const { server } = await start();
    const { api } = await openPage(server);
    expect(await api.shell({})).toEqual({
      kind: 'browser',
      version: '1.2.3',
      platform: process.platform,
      launchPaths: [join(base(), 'models/a.safetensors')],
    });
    await expect(api.chooseFile({})).rejects.toMatchObject({ code: 'unknown-method' });
    expect((await api.listFolder({})).entries.map(({ name }) => name)).toEqual(['a.safetensors']);
  });

  it('ends when a message is too long, and so does its service', async () => {
    const { server, log } = await start({ frameLimit: 1000 });
    const { api, socket } = await openPage(server);
    await api.shell({});
    socket.send(new Uint8Array(1001));
    await new Promise((resolve) => socket.once('close', resolve));
    await vi.waitFor(() => expect(log.disposed).toBe(1));
    expect(await (await openPage(server)).api.recents({})).toEqual([]);
  });

  it('ends when a message cannot be read', async () => {
    const { server, log } = await start();
    const { socket } = await openPage(server);
    socket.send(new Uint8Array([1, 2, 3]));
    await new Promise((resolve) => socket.once('close', resolve));
    await vi.waitFor(() => expect(log.disposed).toBe(1));
  });
});

/** A client that says something and then keeps its end open; whether the other end is gone it learns by talking on. */
const stubborn = (server: BrowserServer, text: string) => {
  const socket = connectTcp({ host: '127.0.0.1', port: server.port, allowHalfOpen: true });
  let heard = '';
  socket.on('error', () => undefined);
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('latin1');
  });
  socket.on('end', () => {
    const timer = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(timer));
  });
  socket.write(text);
  /** The first line it was answered, once its connection is no more. */
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(heard.split('\r\n')[0] ?? ''));
  });
  return { socket, answer };
};

const upgradeFor = (host: string): string =>
  `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

describe('a client that does not come to the point', () => {
  it.each([
    ['sends nothing', ''],
    ['sends half a head', 'GET / HTTP/1.1\r\nHost: 127'],
    ['sends a head without its end', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: 1\r\n'],
  ])('and %s is let go', async (_name, text) => {
    const { server } = await start({ requestMilliseconds: 200 });
    expect(['', 'HTTP/1.1 408 Request Timeout']).toContain(await stubborn(server, text).answer);
  });

  it('and wants a WebSocket it may not have, and does not hang up, is let go', async () => {
    const { server } = await start();
    expect(await stubborn(server, upgradeFor('evil.example')).answer).toBe('HTTP/1.1 403 Forbidden');
  });

  it('and sends a head without end is refused', async () => {
    const { server } = await start();
    expect(await stubborn(server, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`).answer).toBe(
      'HTTP/1.1 431 Request Header Fields Too Large',
    );
  });
});

describe('paths', () => {
  it('inside the roots are opened and remembered', async () => {
    const { server, log } = await start();
    const { api } = await openPage(server);
    const path = join(base(), 'models/a.safetensors');
    await api.open({ kind: 'path', path });
    expect(log.calls).toEqual([['open', { kind: 'path', path }]]);
    expect((await api.recents({})).map((file) => file.path)).toEqual([path]);
    await api.forgetRecents({});
    expect(await api.recents({})).toEqual([]);
  });

  it('outside are neither opened nor written nor listed nor remembered', async () => {
    const { server, log, recents } = await start();
    const { api } = await openPage(server);
    const path = join(base(), 'out/secret');
    recents.add(path);
    await expect(api.open({ kind: 'path', path })).rejects.toMatchObject({ code: 'not-permitted' });
    await expect(api.exportTensor({ sessionId: 0, tensorId: 0, format: 'f32', path })).rejects.toMatchObject({
      code: 'not-permitted',
    });
    await expect(api.listFolder({ path: join(base(), 'out') })).rejects.toMatchObject({ code: 'not-permitted' });
    expect(await api.recents({})).toEqual([]);
    expect(log.calls).toEqual([]);
  });

  it('of an export inside the roots are passed on', async () => {
    const { server, log } = await start();
    const { api } = await openPage(server);
    const path = join(base(), 'models/new.f32');
    await api.exportTensor({ sessionId: 0, tensorId: 0, format: 'f32', path });
    expect(log.calls).toEqual([['exportTensor', { sessionId: 0, tensorId: 0, format: 'f32', path }]]);
  });

  it('of a conversion and of many exports stay inside too', async () => {
    const { server, log } = await start();
    const { api } = await openPage(server);
    const [inside, outside] = [join(base(), 'models'), join(base(), 'out/new')];
    await api.convert({ sessionId: 0, output: join(inside, 'new') });
    await api.exportMany({ sessionId: 0, include: '*', format: 'npy', folder: inside });
    expect(log.calls).toEqual([
      ['convert', { sessionId: 0, output: join(inside, 'new') }],
      ['exportMany', { sessionId: 0, include: '*', format: 'npy', folder: inside }],
    ]);
    const refused = { code: 'not-permitted' };
    await expect(api.convert({ sessionId: 0, output: outside })).rejects.toMatchObject(refused);
    await expect(api.exportMany({ sessionId: 0, include: '*', format: 'npy', folder: outside })).rejects.toMatchObject(
      refused,
    );
    expect(log.calls).toHaveLength(2);
  });

  it('are not needed for the sample and dropped files', async () => {
    const { server, log, recents } = await start();
    const { api } = await openPage(server);
    await api.open({ kind: 'sample' });
    await api.open({ kind: 'page-file', fileId: 1, name: 'x', size: 2 });
    expect(log.calls).toHaveLength(2);
    expect(recents.list()).toEqual([]);
  });
});

describe('the end', () => {
  it('comes by itself when no page is there', async () => {
    const { server } = await start({ idleCloseSeconds: 0.2 });
    const { socket } = await openPage(server);
    await sleep(400);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.close();
    await server.closed;
    expect(server.pagesSeen()).toBe(1);
  });

  it('is held up by nobody who keeps a connection', async () => {
    const { server } = await start();
    const clients = ['', 'GET / HT', upgradeFor(`127.0.0.1:${server.port}`)].map((text) => stubborn(server, text));
    const [silent, , refused] = clients;
    await Promise.all([
      once(silent?.socket ?? expect.fail(), 'connect'),
      once(refused?.socket ?? expect.fail(), 'data'),
    ]);
    await server.close();
    await Promise.all(clients.map(({ answer }) => answer));
  });

  it('closes pages and breaks off downloads', async () => {
    const made = vi.fn();
    const endless = async function* () {
      for await (const piece of pieces(1e6, 1000)) {
        made();
        yield piece;
      }
    };
    const { server, log } = await start({ export: { chunks: endless } });
    const { api, socket } = await openPage(server);
    const { url } = await api.prepareDownload(PREPARE);
    const waiting = await api.prepareDownload(PREPARE);
    expect(waiting.url).not.toBe(url);
    const fetched = get(server, `/${url}`);
    await vi.waitFor(() => expect(made.mock.calls.length).toBeGreaterThan(5));
    await server.close();
    await new Promise((resolve) =>
      socket.readyState === WebSocket.CLOSED ? resolve(0) : socket.once('close', resolve),
    );
    expect((await fetched).whole).toBe(false);
    await vi.waitFor(() => expect(log.disposed).toBe(1));
  });
});
