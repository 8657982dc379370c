import { describe, expect, it } from 'vitest';
import { mainForTests, refusable } from './main-for-tests.ts';

const { startReady } = mainForTests();

describe('a page cannot', () => {
  it('go elsewhere, in any frame, but may be loaded anew', async () => {
    const { webContents } = (await startReady()).window();
    for (const name of ['will-navigate', 'will-frame-navigate']) {
      for (const url of [
        'https://evil.example/',
        'file:///etc/passwd',
        'app://loupe/other.html',
        'javascript:alert(1)',
      ]) {
        const event = refusable(url);
        webContents.emit(name, event);
        expect(event.preventDefault).toHaveBeenCalledTimes(1);
      }
      const reload = refusable('app://loupe/');
      webContents.emit(name, reload);
      expect(reload.preventDefault).not.toHaveBeenCalled();
    }
    const redirect = refusable('app://loupe/');
    webContents.emit('will-redirect', redirect);
    expect(redirect.preventDefault).toHaveBeenCalled();
  });

  it('embed a webview, or open windows; a listed link goes to the system’s browser', async () => {
    const main = await startReady();
    const { webContents } = main.window();
    const attach = refusable();
    webContents.emit('will-attach-webview', attach);
    expect(attach.preventDefault).toHaveBeenCalled();
    const open = (url: string): unknown => Reflect.apply(webContents.openHandler ?? expect.fail, undefined, [{ url }]);
    for (const url of [
      'https://evil.example/',
      'file:///etc/passwd',
      'https://huggingface.co/docs/safetensors/indexx',
    ]) {
      expect(open(url)).toEqual({ action: 'deny' });
    }
    expect(main.electron.shell.opened).toEqual([]);
    expect(open('https://huggingface.co/docs/safetensors/index')).toEqual({ action: 'deny' });
    expect(main.electron.shell.opened).toEqual(['https://huggingface.co/docs/safetensors/index']);
  });

  it('get permissions, devices or downloads, or reach the network; it may write text to the clipboard', async () => {
    const { electron } = await startReady();
    const own = electron.session.defaultSession;
    const ask = (permission: string, requestingUrl: string): boolean => {
      let answer: boolean | undefined;
      Reflect.apply(own.request ?? expect.fail, undefined, [
        undefined,
        permission,
        (granted: boolean) => {
          answer = granted;
        },
        { requestingUrl },
      ]);
      const checked: unknown = Reflect.apply(own.check ?? expect.fail, undefined, [
        null,
        permission,
        requestingUrl,
        {},
      ]);
      expect(checked).toBe(answer);
      return answer === true;
    };
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'openExternal',
      'fileSystem',
      'unknown',
    ]) {
      expect(ask(permission, 'app://loupe/')).toBe(false);
    }
    expect(ask('clipboard-sanitized-write', 'https://evil.example/')).toBe(false);
    expect(ask('clipboard-sanitized-write', 'app://loupe/')).toBe(true);
    expect(Reflect.apply(own.device ?? expect.fail, undefined, [{}])).toBe(false);
    const download = refusable();
    own.emit('will-download', download);
    expect(download.preventDefault).toHaveBeenCalled();
    expect(own.filter?.urls).toEqual(['<all_urls>']);
    const answers: unknown[] = [];
    for (const url of ['https://evil.example/x', 'ws://127.0.0.1:1/', 'app://loupe/assets/x.js']) {
      own.before?.({ url }, (answer) => answers.push(answer));
    }
    expect(answers).toEqual([{ cancel: true }, { cancel: true }, { cancel: false }]);
  });
});
