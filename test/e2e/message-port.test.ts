import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dropFiles, openSample, scanned } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';
import { fixture } from './support/start-server.ts';

/** Gives the page what Electron's preload would, with the real service behind it. */
const beElectron = (page: Page) =>
  page.addInitScript((path) => {
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

/** Electron itself cannot run here. */
describeInBrowser('over a message port, as under Electron', ({ open }) => {
  it('takes the port on load, and opens a dropped file by its path', async () => {
    const { page } = await open({ prepare: beElectron });
    await openSample(page);
    await dropFiles(page, [{ name: 'whatever', bytes: Uint8Array.of(1) }]);
    await page.getByRole('tab', { name: 'all_dtypes.safetensors' }).waitFor();
    await scanned(page);
    expect(await page.locator('.status-path').textContent()).toContain('/good/all_dtypes.safetensors');
    await page.evaluate(() => window.postMessage('loupe-port', '*'));
  });
});
