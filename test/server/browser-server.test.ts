import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { startBrowserServer } from '../../src/server/browser-server.ts';
import { Downloads } from '../../src/server/downloads.ts';
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
        `connect-src 'self' ws://127.0.0.1:${server.port}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
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

  it('closes pages and breaks off downloads', async () => {
    const { server, log } = await start({ export: { chunks: () => pieces(1e6, 1000) } });
    const { api, socket } = await openPage(server);
    const { url } = await api.prepareDownload(PREPARE);
    const waiting = await api.prepareDownload(PREPARE);
    expect(waiting.url).not.toBe(url);
    const fetched = get(server, `/${url}`);
    await sleep(50);
    await server.close();
    await new Promise((resolve) =>
      socket.readyState === WebSocket.CLOSED ? resolve(0) : socket.once('close', resolve),
    );
    expect((await fetched).whole).toBe(false);
    await vi.waitFor(() => expect(log.disposed).toBe(1));
  });
});
