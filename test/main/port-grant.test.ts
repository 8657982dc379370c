import { describe, expect, it, vi } from 'vitest';
import { mainForTests, tick } from './main-for-tests.ts';

const { startReady } = mainForTests();

describe('the port', () => {
  it('is granted to the page in the main frame, and carries the service', async () => {
    const main = await startReady();
    const { api } = main.connectPage(main.window());
    expect(await api.shell({})).toEqual({
      kind: 'electron',
      version: '9.9.9',
      platform: process.platform,
      launchPaths: [],
    });
    await expect(api.listFolder({})).rejects.toMatchObject({ code: 'unknown-method' });
  });

  it('is granted to nobody else', async () => {
    const main = await startReady();
    const { ipcMain } = main.electron;
    const { strangers } = main.electron;
    const { webContents } = main.window();
    const { mainFrame } = webContents;
    const ask = (sender: unknown, senderFrame: unknown): void =>
      void ipcMain.emit('loupe-port-request', { sender, senderFrame });

    ask(webContents, null);
    const child = strangers.frame('app://loupe/', mainFrame);
    ask(webContents, child);
    const other = strangers.frame('app://loupe/');
    ask(webContents, other);
    const stranger = strangers.contents();
    stranger.mainFrame.url = 'app://loupe/';
    ask(stranger, stranger.mainFrame);
    for (const url of ['https://evil.example/', 'app://evil/', 'file:///etc/passwd', 'about:blank', '']) {
      mainFrame.url = url;
      ask(webContents, mainFrame);
    }
    expect([mainFrame, child, other, stranger.mainFrame].flatMap(({ received }) => received)).toEqual([]);
    expect(main.services).toEqual([]);
  });

  it('is granted anew to a page that was loaded anew, and the old service ends', async () => {
    const main = await startReady();
    const first = main.connectPage(main.window());
    await first.api.shell({});
    const second = main.connectPage(main.window());
    first.close();
    await vi.waitFor(() => expect(main.services.map(({ disposed }) => disposed)).toEqual([1, 0]));
    const heard: unknown[] = [];
    second.on('menuCommand', (event) => heard.push(event));
    main.electron.Menu.click('File', 'Open…');
    await tick();
    expect(heard).toEqual([{ command: 'open' }]);
  });

  it('closes with its window', async () => {
    const main = await startReady();
    const client = main.connectPage(main.window());
    await client.api.shell({});
    const closed = vi.fn();
    client.onClose(closed);
    main.window().close();
    await vi.waitFor(() => expect(main.services[0]?.disposed).toBe(1));
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  });
});
