import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = join(root, 'out/main/index.js');

/** What `npm run build` made; `npm test` builds first. test/e2e/desktop runs it. */
describe.skipIf(!existsSync(built))('the built program', () => {
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
