import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The browser to test with: `CHROMIUM_PATH`, or the first of the usual places. Undefined where there is none, with the
 * reason printed; in CI a missing browser is an error.
 */
export const findChromium = (): string | undefined => {
  const named = process.env.CHROMIUM_PATH;
  const found = [...(named === undefined ? [] : [named]), ...PLACES].find((path) => existsSync(path));
  if (found !== undefined) {
    return found;
  }
  const reason = 'no Chromium, Chrome or Edge was found: set CHROMIUM_PATH to run the browser tests';
  if (process.env.CI === 'true') {
    throw new Error(reason);
  }
  process.stdout.write(`browser tests skipped: ${reason}\n`);
  return undefined;
};
