import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { complaintsOf, scanned, tableRow } from '../support/browser.ts';
import { describeOnDesktop } from '../support/desktop.ts';
import { f32, writeSafetensors } from '../support/make-safetensors.ts';

const ATTEMPT_MILLISECONDS = 500;

describeOnDesktop('what a page cannot do', ({ startWithPage, folder }) => {
  let server: Server;
  let elsewhere = '';
  const visits: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      visits.push(`${request.method} ${request.url}`);
      response.end('<title>elsewhere</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    elsewhere = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => void server.close());

  /** Waits until an attempt would have succeeded, and looks whether everything is as before. */
  const expectUnmoved = async (page: Page, url: string): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MILLISECONDS));
    expect(page.url()).toBe(url);
    // Not by a locator: those wait for the navigation that was refused.
    expect(await page.evaluate(() => document.querySelector('.start') !== null)).toBe(true);
    expect(visits).toEqual([]);
  };

  it('its own work breaks no rule of its policy, which counts what does', async () => {
    const path = join(folder, 'names.safetensors');
    writeSafetensors(path, [{ name: '<img src=x onerror=alert(1)>', dtype: 'F32', shape: [2], bytes: f32(1, 2) }]);
    const { app, page } = await startWithPage();
    const complaints = await complaintsOf(page);
    await page.reload();
    await page.locator('.start').waitFor();
    await app.openFile(path);
    await scanned(page);
    await tableRow(page, '<img src=x onerror=alert(1)>').click();
    await page.getByTestId('histogram').locator('canvas').waitFor();
    for (const key of ['Control+Shift+p', 'Control+Shift+e', 'Control+/']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(complaints).toEqual([]);
    const thrown = await page.evaluate(() => {
      const inline = document.createElement('script');
      inline.append('document.title = "inline"');
      const attempts = [
        () => document.body.append(inline),
        () => {
          document.createElement('script').textContent = 'document.title = "inline"';
        },
        () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="document.title = 1">'),
        () => setTimeout('document.title = "timer"'),
      ];
      return attempts.map((attempt) => {
        try {
          attempt();
          return 'nothing';
        } catch (fault) {
          return fault instanceof Error ? fault.name : 'something else';
        }
      });
    });
    expect(thrown.slice(1)).toEqual(['TypeError', 'TypeError', 'TypeError']);
    await expect
      .poll(() => complaints.filter((text) => text.startsWith('error: policy violation: ')).length)
      .toBeGreaterThanOrEqual(4);
    expect(await page.title()).toBe('Tensor Loupe');
  });

  it('reach Node or Electron, beyond its kind and the path of a dropped file', async () => {
    const { page } = await startWithPage();
    const found = await page.evaluate(() => {
      const shell: unknown = Reflect.get(window, 'loupeShell');
      const pathForFile: unknown = typeof shell === 'object' && shell !== null && Reflect.get(shell, 'pathForFile');
      return {
        globals: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer', 'global'].filter(
          (name) => name in window,
        ),
        shell: Object.keys(shell ?? {}),
        path:
          typeof pathForFile === 'function'
            ? Reflect.apply(pathForFile, shell, [new File(['x'], 'made-up.txt')])
            : undefined,
      };
    });
    expect(found).toEqual({ globals: [], shell: ['kind', 'pathForFile'], path: '' });
  });

  it('have the service, when it is somebody else’s, though it has the preload', async () => {
    const { app, page } = await startWithPage();
    const script = 'window.heard = []; addEventListener("message", ({ data }) => heard.push(String(data)))';
    const foreign = await app.foreignWindow(`data:text/html,<script>${encodeURIComponent(script)}</script>`);
    await expect.poll(() => foreign.evaluate(() => 'loupeShell' in window)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MILLISECONDS));
    expect(await foreign.evaluate(() => Reflect.get(window, 'heard'))).toEqual([]);
    await page.reload();
    await page.locator('.app[aria-busy="false"]').waitFor();
  });

  it('go elsewhere', async () => {
    const { page } = await startWithPage();
    const url = page.url();
    await page.evaluate((target) => {
      location.href = `${target}/href`;
    }, elsewhere);
    await expectUnmoved(page, url);
    await page.evaluate((target) => {
      const link = document.createElement('a');
      link.href = `${target}/link`;
      document.body.append(link);
      link.click();
    }, elsewhere);
    await expectUnmoved(page, url);
    await page.evaluate(() => {
      location.href = new URL('/elsewhere.html', location.href).href;
    });
    await expectUnmoved(page, url);
  });

  it('open windows', async () => {
    const { app, page } = await startWithPage();
    const url = page.url();
    await page.evaluate((target) => void window.open(`${target}/popup`), elsewhere);
    await page.evaluate((target) => {
      const link = document.createElement('a');
      link.href = `${target}/blank`;
      link.target = '_blank';
      document.body.append(link);
      link.click();
    }, elsewhere);
    await page.evaluate(() => void window.open('https://huggingface.co/docs/safetensors/indexx'));
    await expectUnmoved(page, url);
    expect(app.pages()).toHaveLength(1);
    expect(await app.openedLinks()).toEqual([]);
  });

  it('reach the network', async () => {
    const { page } = await startWithPage();
    const url = page.url();
    const outcome = await page.evaluate(async (target) => {
      const fetched = await fetch(`${target}/fetch`, { mode: 'no-cors' }).then(
        () => 'fetched',
        () => 'refused',
      );
      const image = new Image();
      image.src = `${target}/image`;
      navigator.sendBeacon(`${target}/beacon`, 'x');
      const frame = document.createElement('iframe');
      frame.src = `${target}/frame`;
      document.body.append(image, frame);
      return fetched;
    }, elsewhere);
    expect(outcome).toBe('refused');
    await expectUnmoved(page, url);
  });
});
