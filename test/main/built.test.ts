import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectInspector } from '../../src/rpc/inspector.ts';
import { portWire } from '../../src/rpc/wires.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = join(root, 'out/main/index.js');

afterEach(() => void vi.resetModules());

/** What `npm run build` made; `npm test` builds first, and without a build there is nothing to look at. */
describe.skipIf(!existsSync(built))('the built program', () => {
  it('opens and scans the sample with its own workers, and serves its page, under the stand-in for Electron', async () => {
    const electron = await import('./fake-electron.ts');
    const { app, BrowserWindow, ipcMain, protocol } = electron;
    app.appPath = root;
    app.userData = process.env.LOUPE_SETTINGS_DIR ?? '';
    vi.doMock('electron', () => electron);
    await import(built);
    await app.becomeReady();

    const window = BrowserWindow.all[0];
    const frame = window?.webContents.mainFrame;
    ipcMain.emit('loupe-port-request', { sender: window?.webContents, senderFrame: frame });
    const port = frame?.received[0]?.ports[0];
    if (port === undefined) {
      throw new Error('no port was granted');
    }
    const { wire, receive } = portWire(port);
    port.on('message', receive);
    const { api } = connectInspector(wire, { readPageFile: () => Promise.reject(new Error('no file')) });
    const { sessionId, summary } = await api.open({ kind: 'sample' });
    const { scanned, skipped } = await api.scanAll({ sessionId });
    expect(scanned + skipped).toBe(summary.tensors);
    expect(scanned).toBeGreaterThan(0);

    const page = await Reflect.apply(protocol.handlers.get('app') ?? expect.fail, undefined, [
      new Request('app://loupe/'),
    ]);
    expect(page.status).toBe(200);
    window?.close();
    await vi.waitFor(() => expect(app.quits).toBe(2));
  });

  it('has a preload that a sandbox can run: one file that requires Electron and nothing else', () => {
    const folder = join(root, 'out/preload');
    expect(readdirSync(folder)).toEqual(['index.cjs']);
    const text = readFileSync(join(folder, 'index.cjs'), 'utf8');
    expect(text.match(/require\([^)]*\)/g)).toEqual(['require("electron")']);
    expect(text).not.toMatch(/^(import|export)\b/m);
  });

  it('has a page that its own policy lets run: no inline script or style, nothing from elsewhere', () => {
    const html = readFileSync(join(root, 'out/renderer/index.html'), 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    for (const [, address] of html.matchAll(/\s(?:src|href)="([^"]*)"/g)) {
      expect(address).toMatch(/^(\.\/|data:,$)/);
    }
  });
});
