import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserCandidates, hasDisplay, openAppWindow } from '../../src/server/app-window.ts';
import { browserCommand } from '../../src/server/open-in-browser.ts';
import { program } from './fake-package.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-window-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a browser for a window', () => {
  it('is looked for in the folders of PATH, Chrome first', () => {
    const found = browserCandidates('linux', { PATH: '/usr/local/bin::/usr/bin' });
    expect(found.slice(0, 2)).toEqual(['/usr/local/bin/google-chrome', '/usr/bin/google-chrome']);
    expect(found).toContain('/usr/bin/chromium');
    expect(found).toContain('/usr/bin/microsoft-edge');
  });

  it('is looked for where macOS and Windows keep programs', () => {
    expect(browserCandidates('darwin', {})[0]).toBe('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    const windows = browserCandidates('win32', { ProgramFiles: 'C:\\Program Files', LOCALAPPDATA: 'C:\\L' });
    expect(windows).toEqual([
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\L\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
      'C:\\L\\Microsoft\\Edge\\Application\\msedge.exe',
    ]);
  });

  it('may be named', () => {
    expect(browserCandidates('linux', { CHROME_PATH: '/opt/chrome', PATH: '/bin' })[0]).toBe('/opt/chrome');
    expect(browserCandidates('linux', { CHROME_PATH: '' })).toEqual([]);
  });
});

it('a window needs a display where there may be none', () => {
  expect(hasDisplay('linux', {})).toBe(false);
  expect(hasDisplay('linux', { DISPLAY: '' })).toBe(false);
  expect(hasDisplay('linux', { DISPLAY: ':0' })).toBe(true);
  expect(hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true);
  expect([hasDisplay('darwin', {}), hasDisplay('win32', {})]).toEqual([true, true]);
});

describe('an application window', () => {
  const browser = (): string => {
    const log = JSON.stringify(join(folder, 'log'));
    return program(
      join(folder, 'browser'),
      `require('node:fs').writeFileSync(${log}, JSON.stringify(process.argv.slice(2)));
       setTimeout(() => {}, process.argv[2].endsWith('stay') ? 60000 : 0);`,
    );
  };
  const profile = (): string => {
    const parameters: string[] = JSON.parse(readFileSync(join(folder, 'log'), 'utf8'));
    return parameters.find((one) => one.startsWith('--user-data-dir='))?.split('=')[1] ?? '';
  };

  it('shows the address with a profile of its own, which goes with it', async () => {
    const window = openAppWindow(browser(), 'http://127.0.0.1:1/#token=x');
    await window.gone;
    expect(JSON.parse(readFileSync(join(folder, 'log'), 'utf8'))[0]).toBe('--app=http://127.0.0.1:1/#token=x');
    expect(profile()).toContain('tensor-loupe-window-');
    expect(existsSync(profile())).toBe(false);
  });

  it('can be closed', async () => {
    const window = openAppWindow(browser(), 'http://127.0.0.1:1/stay');
    window.close();
    await window.gone;
  });

  it('is gone when its browser cannot be started', async () => {
    await openAppWindow(join(folder, 'missing'), 'http://127.0.0.1:1/').gone;
  });
});

it('the system’s own browser is asked without a shell in between', () => {
  const url = 'http://127.0.0.1:1/?a=1&b=2#token=x';
  expect(browserCommand('linux', url)).toEqual(['xdg-open', url]);
  expect(browserCommand('darwin', url)).toEqual(['open', url]);
  expect(browserCommand('win32', url)).toEqual(['rundll32', 'url.dll,FileProtocolHandler', url]);
});
