import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';

/** What the preload script did, against a stand-in for the part of Electron it has and for its window. */
const load = async () => {
  const exposed = new Map<string, unknown>();
  const sent: string[] = [];
  const posted: unknown[][] = [];
  const ipcRenderer = Object.assign(new EventEmitter(), { send: (channel: string) => sent.push(channel) });
  const page = Object.assign(new EventTarget(), { postMessage: (...message: unknown[]) => posted.push(message) });
  vi.doMock('electron', () => ({
    contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
    ipcRenderer,
    webUtils: { getPathForFile: (file: { readonly at: string }) => file.at },
  }));
  vi.stubGlobal('window', page);
  await import('../../src/preload/index.ts');
  vi.unstubAllGlobals();
  return { exposed, sent, posted, ipcRenderer, page };
};

beforeEach(() => void vi.resetModules());

it('gives the page its kind and the path of a dropped file, and nothing else', async () => {
  const { exposed } = await load();
  expect([...exposed.keys()]).toEqual(['loupeShell']);
  const shell = exposed.get('loupeShell') as Record<string, unknown>;
  expect(Object.keys(shell)).toEqual(['kind', 'pathForFile']);
  expect(shell.kind).toBe('electron');
  expect(Reflect.apply(shell.pathForFile as () => string, undefined, [{ at: '/models/a.pt' }])).toBe('/models/a.pt');
});

it('asks for the port once the page has loaded, and hands it on', async () => {
  const { sent, posted, ipcRenderer, page } = await load();
  expect(sent).toEqual([]);
  page.dispatchEvent(new Event('load'));
  expect(sent).toEqual(['loupe-port-request']);
  vi.stubGlobal('window', page);
  const port = { port: 1 };
  ipcRenderer.emit('loupe-port', { ports: [port] }, null);
  vi.unstubAllGlobals();
  expect(posted).toEqual([['loupe-port', '*', [port]]]);
});
