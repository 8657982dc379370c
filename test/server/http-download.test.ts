import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { get, openPage, PREPARE, pieces, serversForTests } from './servers-for-tests.ts';

const { start } = serversForTests();

describe('a download', () => {
  it('is fetched once, whole, under its name, and never as something to be shown', async () => {
    const { server } = await start({ export: { fileName: 'wé.f32', bytes: 300, chunks: () => pieces(3, 100) } });
    const { api } = await openPage(server);
    const { url, fileName } = await api.prepareDownload(PREPARE);
    expect(fileName).toBe('wé.f32');
    expect(url).toMatch(/^download\/[\w-]{43}$/);
    const { status, headers, body, whole } = await get(server, `/${url}`);
    expect([status, whole]).toEqual([200, true]);
    expect(body).toBe('\0'.repeat(100) + '\x01'.repeat(100) + '\x02'.repeat(100));
    expect(headers['content-length']).toBe('300');
    expect(headers['content-disposition']).toBe(`attachment; filename="w_.f32"; filename*=UTF-8''w%C3%A9.f32`);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect((await get(server, `/${url}`)).status).toBe(404);
  });

  it('of unknown length is sent in chunks', async () => {
    const { server } = await start({ export: { chunks: () => pieces(2, 10) } });
    const { api } = await openPage(server);
    const { url } = await api.prepareDownload(PREPARE);
    const { headers, body, whole } = await get(server, `/${url}`);
    expect([headers['transfer-encoding'], body.length, whole]).toEqual(['chunked', 20, true]);
  });

  it('is refused without a ticket, by other methods, hosts and pages, which leave the ticket good', async () => {
    const { server } = await start({ export: { chunks: () => pieces(1, 1) } });
    const { api } = await openPage(server);
    const { url } = await api.prepareDownload(PREPARE);
    expect((await get(server, `/download/${'A'.repeat(43)}`)).status).toBe(404);
    expect((await get(server, `/${url}`, { method: 'HEAD' })).status).toBe(405);
    expect((await get(server, `/${url}`, { method: 'POST' })).status).toBe(405);
    expect((await get(server, `/${url}`, { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await get(server, `/${url}`, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await get(server, `/${url}`)).status).toBe(200);
  });

  it.each([
    ['fails half way', { bytes: undefined, chunks: () => failing() }],
    ['turns out shorter than announced', { bytes: 300, chunks: () => pieces(1, 100) }],
    ['turns out longer than announced', { bytes: 50, chunks: () => pieces(1, 100) }],
  ])('that %s breaks the connection, so that nobody takes it for whole', async (_name, export_) => {
    const { server } = await start({ export: export_ });
    const { api } = await openPage(server);
    const { url } = await api.prepareDownload(PREPARE);
    const outcome = await get(server, `/${url}`).then(
      ({ whole }) => whole,
      () => false,
    );
    expect(outcome).toBe(false);
  });

  it('is made no faster than it is fetched, and ends when the browser stops fetching', async () => {
    let made = 0;
    let ended = false;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of pieces(1000, 1 << 20)) {
          made += 1;
          yield piece;
        }
      } finally {
        ended = true;
      }
    };
    const { server } = await start({ export: { bytes: 1000 << 20, chunks: counted } });
    const { api } = await openPage(server);
    const { url } = await api.prepareDownload(PREPARE);
    const call = request({ host: '127.0.0.1', port: server.port, path: `/${url}`, agent: false });
    call.end();
    await new Promise<void>((resolve) => call.once('response', (response) => resolve(void response.pause())));
    await sleep(300);
    const held = made;
    expect(held).toBeLessThan(100);
    await sleep(100);
    expect(made).toBe(held);
    call.destroy();
    await vi.waitFor(() => expect(ended).toBe(true));
    expect(made).toBeLessThan(101);
  });

  it('keeps its service until it is through, though the page is gone', async () => {
    const { server, log } = await start({ export: { chunks: () => pieces(50, 1000) } });
    const { api, socket } = await openPage(server);
    const { url } = await api.prepareDownload(PREPARE);
    const fetched = get(server, `/${url}`);
    socket.close();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(log.disposed).toBe(0);
    expect((await fetched).body).toHaveLength(50_000);
    await vi.waitFor(() => expect(log.disposed).toBe(1));
  });

  it('that cannot be made is an error of the call', async () => {
    const { server, log } = await start();
    const { api, socket } = await openPage(server);
    await expect(api.prepareDownload(PREPARE)).rejects.toMatchObject({ code: 'unreadable-tensor' });
    socket.close();
    await vi.waitFor(() => expect(log.disposed).toBe(1));
  });
});

const failing = async function* (): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(10);
  await sleep(10);
  throw new Error('the file is gone');
};
