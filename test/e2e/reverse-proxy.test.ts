import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openSample, tableRow } from './support/browser.ts';
import { describeInBrowser } from './support/in-browser.ts';
import { startReverseProxy } from './support/reverse-proxy.ts';

describeInBrowser('behind a reverse proxy, below a path', ({ openServing }) => {
  it('loads, connects and downloads', async () => {
    const { page, server } = await openServing();
    const { origin, hash } = new URL(server.url);
    const proxy = await startReverseProxy(origin, '/tools/loupe/');
    try {
      await page.goto(`${proxy.url}${hash}`);
      await page.locator('.app[aria-busy="false"]').waitFor();
      await openSample(page);
      await tableRow(page, 'lm_head.bias').click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+e')]);
      expect(readFileSync(await download.path()).equals(Buffer.alloc(512 * 4))).toBe(true);
      expect(proxy.seen).toEqual(
        expect.arrayContaining(['/', expect.stringMatching(/^\/ws\?/), expect.stringMatching(/^\/download\//)]),
      );
    } finally {
      await proxy.stop();
    }
  });
});
