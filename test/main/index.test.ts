import { describe, expect, it, vi } from 'vitest';
import type { Events } from '../../src/shared/api.ts';
import { mainForTests, refusable, tick } from './main-for-tests.ts';

const { start, startReady } = mainForTests();

describe('the start', () => {
  it('makes one hardened window that shows our page, after everything that must come before it', async () => {
    const main = await start();
    const { app, protocol, BrowserWindow } = main.electron;
    expect(app.sandboxed).toBe(true);
    expect(protocol.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    expect(BrowserWindow.getAllWindows()).toEqual([]);
    await app.becomeReady();
    expect(protocol.handlers.has('app')).toBe(true);
    const window = main.window();
    expect(window.webContents.getURL()).toBe('app://loupe/');
    expect(window.visible).toBe(true);
    expect(window.options).toMatchObject({
      width: 1280,
      height: 800,
      minWidth: 900,
      minHeight: 600,
      show: false,
      webPreferences: {
        preload: '/app/out/preload/index.cjs',
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      },
    });
    expect(main.engine.workerFiles.map(String)).toEqual(['file:///app/out/main/scan-worker.js']);
  });

  it('leaves the sandbox off for whoever says so, since Electron would start no page at all', async () => {
    const main = await start({ prepare: ({ app }) => app.switches.add('no-sandbox') });
    expect(main.electron.app.sandboxed).toBe(false);
  });

  it('leaves to the instance that runs, and sends it the paths', async () => {
    const main = await start({
      argv: ['--enable-logging', '/models/a.safetensors'],
      prepare: ({ app }) => {
        app.lock = false;
      },
    });
    await main.electron.app.becomeReady();
    expect(main.electron.app.lockData).toEqual({ paths: ['/models/a.safetensors'] });
    expect(main.electron.app.quits).toBe(1);
    expect(main.electron.BrowserWindow.getAllWindows()).toEqual([]);
  });

  it('that fails tells the person and ends', async () => {
    const main = await start();
    main.electron.protocol.handle = () => {
      throw new Error('no scheme');
    };
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await main.electron.app.becomeReady();
    errors.mockRestore();
    expect(main.electron.dialog.shown).toMatchObject([{ kind: 'error' }]);
    expect(main.electron.app.exits).toEqual([1]);
  });
});

describe('files', () => {
  it('of the command line are the first window’s', async () => {
    const main = await startReady({ argv: ['/models/a.safetensors', '--flag', 'file:///models/b.pt'] });
    const { api } = main.connectPage(main.window());
    expect((await api.shell({})).launchPaths).toEqual(['/models/a.safetensors', '/models/b.pt']);
  });

  it('opened from the system before the program is ready are too', async () => {
    const main = await start();
    const event = refusable();
    main.electron.app.emit('open-file', event, '/models/early.gguf');
    expect(event.preventDefault).toHaveBeenCalled();
    await main.electron.app.becomeReady();
    main.electron.app.emit('open-file', refusable(), '/models/late.gguf');
    const { api } = main.connectPage(main.window());
    expect((await api.shell({})).launchPaths).toEqual(['/models/early.gguf', '/models/late.gguf']);
    expect(main.electron.BrowserWindow.getAllWindows()).toHaveLength(1);
  });

  it('of a second launch open in the window there is, which comes to the front', async () => {
    const main = await startReady();
    const window = main.window();
    const client = main.connectPage(window);
    const heard: Events['openPaths'][] = [];
    client.on('openPaths', (event) => heard.push(event));
    await client.api.shell({});
    window.minimized = true;
    const { app, BrowserWindow } = main.electron;
    app.emit('second-instance', {}, [], '/', { paths: ['/models/a.safetensors'] });
    app.emit('second-instance', {}, ['/usr/bin/electron', '/app', 'b.pt'], '/models', 'not what we sent');
    app.emit('second-instance', {}, ['/usr/bin/electron', '/app'], '/models', { paths: [] });
    await tick();
    expect(heard).toEqual([{ paths: ['/models/a.safetensors'] }, { paths: ['/models/b.pt'] }]);
    expect([window.minimized, BrowserWindow.getFocusedWindow() === window]).toEqual([false, true]);
    expect(BrowserWindow.getAllWindows()).toHaveLength(1);
  });

  it('opened are remembered here, by the system and in the menu, until forgotten', async () => {
    const main = await startReady();
    const { api } = main.connectPage(main.window());
    await api.open({ kind: 'path', path: '/models/a&b.safetensors' });
    await api.open({ kind: 'sample' });
    expect((await api.recents({})).map(({ path }) => path)).toEqual(['/models/a&b.safetensors']);
    expect(main.electron.app.recentDocuments).toEqual(['/models/a&b.safetensors']);
    const heard: unknown[] = [];
    main.window().focus();
    const client = main.connectPage(main.window());
    client.on('openPaths', (event) => heard.push(event));
    main.electron.Menu.click('File', 'Open Recent', '/models/a&&b.safetensors');
    await tick();
    expect(heard).toEqual([{ paths: ['/models/a&b.safetensors'] }]);
    main.electron.Menu.click('File', 'Open Recent', 'Clear Recent Files');
    expect(await api.recents({})).toEqual([]);
    expect(main.electron.app.recentDocuments).toEqual([]);
    expect(() => main.electron.Menu.click('File', 'Open Recent', '/models/a&&b.safetensors')).toThrow(
      '"Open Recent" is disabled',
    );
  });
});

describe('dialogs', () => {
  it('answer with what was chosen, and with nothing when dismissed', async () => {
    const main = await startReady();
    const { api } = main.connectPage(main.window());
    const { dialog } = main.electron;
    expect(await api.chooseFile({})).toBeUndefined();
    dialog.open = { canceled: false, filePaths: ['/models/a.safetensors'] };
    expect(await api.chooseFile({})).toBe('/models/a.safetensors');
    dialog.open = { canceled: true, filePaths: [] };
    expect(await api.chooseFolder({ purpose: 'open' })).toBeUndefined();
    expect(dialog.shown.at(-1)).toEqual({ kind: 'open', options: { properties: ['openDirectory'] } });
    dialog.open = { canceled: false, filePaths: ['/models/gemma'] };
    expect(await api.chooseFolder({ purpose: 'write' })).toBe('/models/gemma');
    expect(dialog.shown.at(-1)).toMatchObject({
      kind: 'open',
      options: { properties: ['openDirectory', 'createDirectory', 'promptToCreate'] },
    });
    expect(await api.chooseSavePath({ suggested: 'w.f32' })).toBeUndefined();
    dialog.save = { canceled: false, filePath: '/tmp/w.f32' };
    expect(await api.chooseSavePath({ suggested: 'w.f32' })).toBe('/tmp/w.f32');
    expect(dialog.shown.at(-1)).toEqual({
      kind: 'save',
      options: { defaultPath: 'w.f32', properties: ['createDirectory', 'showOverwriteConfirmation'] },
    });
    for (const suggested of ['/home/me/.ssh/w.f32', '..\\..\\w.f32', 'C:\\Windows/w.f32']) {
      await api.chooseSavePath({ suggested });
      expect(dialog.shown.at(-1)).toMatchObject({ kind: 'save', options: { defaultPath: 'w.f32' } });
    }
  });
});

describe('the menu', () => {
  it('sends its commands to the window used last, and makes one when there is none', async () => {
    const main = await startReady();
    const heard: string[] = [];
    const listen = (name: string): void => {
      const client = main.connectPage(main.window());
      client.on('menuCommand', ({ command }) => heard.push(`${name}: ${command}`));
    };
    const first = main.window();
    listen('first');
    main.electron.Menu.click('File', 'New Window');
    listen('second');
    main.electron.Menu.click('Audit', 'Scan All');
    await tick();
    first.focus();
    main.electron.Menu.click('Edit', 'Find…');
    await tick();
    expect(heard).toEqual(['second: scan-all', 'first: find']);
    for (const window of main.electron.BrowserWindow.getAllWindows()) {
      window.close();
    }
    main.electron.Menu.click('Help', 'Keyboard Shortcuts');
    expect(main.electron.BrowserWindow.getAllWindows()).toHaveLength(1);
    listen('third');
    await tick();
    expect(heard.at(-1)).toBe('third: shortcuts');
  });

  it('opens links of the fixed list', async () => {
    const main = await startReady();
    main.electron.Menu.click('Help', 'About the safetensors Format');
    expect(main.electron.shell.opened).toEqual(['https://huggingface.co/docs/safetensors/index']);
  });
});

describe('trouble', () => {
  it('of a page that crashes is told, and the page can be loaded anew or closed', async () => {
    const main = await startReady();
    const { app, dialog, BrowserWindow } = main.electron;
    const window = main.window();
    const crash = async (button: number): Promise<void> => {
      dialog.button = button;
      app.emit('render-process-gone', {}, window.webContents, { reason: 'crashed', exitCode: 5 });
      await tick();
    };
    await crash(0);
    expect(window.webContents.reloads).toBe(1);
    await crash(1);
    expect(BrowserWindow.getAllWindows()).toEqual([]);
    expect(dialog.shown).toHaveLength(2);
    app.emit('render-process-gone', {}, window.webContents, { reason: 'clean-exit', exitCode: 0 });
    expect(dialog.shown).toHaveLength(2);
  });

  it('of a page that hangs is told, and may be waited for', async () => {
    const main = await startReady();
    const window = main.window();
    main.electron.dialog.button = 1;
    window.webContents.emit('unresponsive');
    await tick();
    expect(main.electron.dialog.shown).toMatchObject([{ options: { buttons: ['Reload', 'Wait', 'Close Window'] } }]);
    expect([window.webContents.reloads, main.electron.BrowserWindow.getAllWindows().length]).toEqual([0, 1]);
  });

  it('of the main process is told', async () => {
    const before = process.listeners('uncaughtException');
    const main = await startReady();
    const own = process.listeners('uncaughtException').filter((listener) => !before.includes(listener));
    expect(own).toHaveLength(1);
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    own[0]?.(new Error(`something broke: \u202e\u001b[2J${'x'.repeat(10_000)}`), 'uncaughtException');
    const printed = errors.mock.calls.join('');
    errors.mockRestore();
    const [dialog] = main.electron.dialog.shown;
    expect(dialog).toMatchObject({
      options: { content: expect.stringMatching(/^something broke: \\u\{202e\}\\u\{1b\}\[2Jxxx.{400,800}$/s) },
    });
    expect(printed).toContain('something broke: \\u{202e}\\u{1b}[2J');
    expect(printed).not.toMatch(/[\u202e\u001b]/);
  });
});

describe('the end', () => {
  it('comes when the last window closes, after the engine’s threads have ended', async () => {
    const main = await startReady();
    main.window().close();
    await tick();
    if (process.platform !== 'darwin') {
      expect(main.engine.destroyed).toBe(1);
      expect(main.electron.app.quits).toBe(2);
    }
  });

  it('comes by Quit, though the threads have nothing to end', async () => {
    const main = await startReady();
    main.electron.Menu.click('File', 'quit');
    expect(await main.electron.app.ended).toBe(0);
    expect(main.engine.destroyed).toBe(1);
  });

  it('keeps the place and the size of the window for the next start', async () => {
    const first = await startReady();
    Object.assign(first.window().options, { x: 100, y: 200, width: 1000, height: 700 });
    first.window().maximize();
    first.window().close();
    const second = await startReady({ settings: first.settings });
    expect(second.window().options).toMatchObject({ x: 100, y: 200, width: 1000, height: 700 });
    expect(second.window().isMaximized()).toBe(true);
  });
});
