import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, dropFiles, launchBrowser, scanned } from './support/browser.ts';
import { fixture, type Server, startServer } from './support/start-server.ts';

/** Electron itself cannot run here; this gives the page what its preload would, with the real service behind it. */
describe.skipIf(chromiumPath === undefined)('over a message port, as under Electron', () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('takes the port on load, and opens a dropped file by its path', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.addInitScript((path) => {
      Object.assign(window, { loupeShell: { kind: 'electron', pathForFile: () => path } });
      const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
      const socket = new WebSocket(`ws://${location.host}/ws?token=${token}`);
      socket.binaryType = 'arraybuffer';
      const { port1, port2 } = new MessageChannel();
      const early: Uint8Array<ArrayBuffer>[] = [];
      port2.onmessage = ({ data }: { data: Uint8Array<ArrayBuffer> }) => {
        if (socket.readyState === WebSocket.OPEN) {
          socket.send(data);
        } else {
          early.push(data);
        }
      };
      socket.onopen = () => {
        for (const frame of early) {
          socket.send(frame);
        }
      };
      socket.onmessage = ({ data }: { data: ArrayBuffer }) => port2.postMessage(new Uint8Array(data));
      socket.onclose = () => port2.postMessage(null);
      window.addEventListener('load', () => window.postMessage('loupe-port', '*', [port1]));
    }, fixture('good/all_dtypes.safetensors'));
    await page.goto(server.url);
    await page.locator('.start').waitFor();
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await scanned(page);
    await dropFiles(page, [{ name: 'whatever', bytes: Uint8Array.of(1) }]);
    await page.getByRole('tab', { name: 'all_dtypes.safetensors' }).waitFor();
    await scanned(page);
    expect(await page.locator('.status-path').textContent()).toContain('/good/all_dtypes.safetensors');
    await page.evaluate(() => window.postMessage('loupe-port', '*'));
    expect(complaints).toEqual([]);
    await page.close();
  });
});
