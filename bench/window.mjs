// The window in the system's Chromium, at 1280 × 800: a sharded model of 163 files and 90,000 tensors, and P06, a
// table of 150,000 rows.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { buildHeader } from '../out/lib/core/formats/safetensors/write-header.js';
import { inspectPath } from '../out/lib/node/open-checkpoint.js';
import { report } from './report.mjs';

const SHARDS = 163;
const INDEX = 'model.safetensors.index.json';
const SHARDED_TENSORS = 90_000;
const ROWS = 150_000;
/** Above the size under which the window scans by itself, so that opening alone is measured. The files are sparse. */
const TENSOR_BYTES = 65_536;
const FRAMES_MS = 3000;

const sparse = (path, names) => {
  const { prefix, dataBytes } = buildHeader(
    names.map((name) => ({ name, dtype: 'BF16', shape: [128, 256], bytes: TENSOR_BYTES })),
  );
  const file = openSync(path, 'w');
  writeSync(file, prefix);
  ftruncateSync(file, prefix.byteLength + dataBytes);
  closeSync(file);
};

const nameOf = (index) =>
  `model.layers.${Math.floor(index / 1500)}.mlp.experts.${Math.floor(index / 3) % 500}.${['gate', 'up', 'down'][index % 3]}_proj.weight`;

const makeSharded = (folder) => {
  mkdirSync(folder);
  const perShard = Math.ceil(SHARDED_TENSORS / SHARDS);
  const map = {};
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const count = Math.min(perShard, SHARDED_TENSORS - shard * perShard);
    const names = Array.from({ length: count }, (_, at) => nameOf(shard * perShard + at));
    const file = `model-${String(shard + 1).padStart(5, '0')}-of-00163.safetensors`;
    sparse(join(folder, file), names);
    for (const name of names) {
      map[name] = file;
    }
  }
  writeFileSync(
    join(folder, INDEX),
    JSON.stringify({ metadata: { total_size: SHARDED_TENSORS * TENSOR_BYTES }, weight_map: map }),
  );
};

const startServer = (folder) =>
  new Promise((resolve, reject) => {
    const command = fileURLToPath(new URL('../out/lib/cli/loupe.js', import.meta.url));
    const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--no-open', '--root', folder], {
      env: { ...process.env, LOUPE_SETTINGS_DIR: join(folder, 'settings') },
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(printed)?.[0];
      if (url !== undefined) {
        resolve({ url, stop: () => child.kill() });
      }
    });
    child.once('exit', () => reject(new Error('the server ended')));
  });

const newPage = async (browser, url) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.locator('.start').waitFor();
  return page;
};

/** Opens a path in the window; milliseconds from the key to the first row painted, and to the tree painted with it. */
const openIn = async (page, path, tensors) => {
  await page.keyboard.press('Control+o');
  await page.getByRole('listbox', { name: 'Files and folders' }).waitFor();
  await page.getByRole('textbox', { name: 'Path of a file or folder' }).fill(path);
  await page.evaluate((count) => {
    window.painted = new Promise((resolve) => {
      const times = { began: undefined, row: undefined };
      addEventListener('keydown', () => (times.began ??= performance.now()), { capture: true, once: true });
      const look = () => {
        const tree = document.querySelector('[role=tree] [role=treeitem]');
        if (document.querySelector('.table-row') !== null) {
          times.row ??= performance.now();
        }
        const listed = Number(document.querySelector('[aria-rowcount]')?.getAttribute('aria-rowcount'));
        if (times.row !== undefined && tree !== null && listed >= count) {
          // The frame after this one shows it.
          requestAnimationFrame(() => resolve({ row: times.row - times.began, tree: performance.now() - times.began }));
          return;
        }
        requestAnimationFrame(look);
      };
      look();
    });
  }, tensors);
  await page.keyboard.press('Enter');
  await page.locator('.table-row').first().waitFor();
  return page.evaluate(() => window.painted);
};

const scrolling = (page) =>
  page.evaluate(
    (length) =>
      new Promise((resolve) => {
        const scroller = document.querySelector('.table-body').closest('.table-scroll, [role=grid], [role=treegrid]');
        const target = scroller.scrollHeight > scroller.clientHeight ? scroller : scroller.parentElement;
        const began = performance.now();
        let last = began;
        let longest = 0;
        let frames = 0;
        const step = (now) => {
          frames += 1;
          longest = Math.max(longest, now - last);
          last = now;
          target.scrollTop += 331;
          if (now - began < length) {
            requestAnimationFrame(step);
          } else {
            resolve({ rate: (frames * 1000) / (now - began), longest, scrolled: target.scrollTop });
          }
        };
        requestAnimationFrame(step);
      }),
    FRAMES_MS,
  );

/** Milliseconds from a key in the filter to the paint that shows its result. */
const filtering = async (page) => {
  const box = page.getByPlaceholder(/^Filter: text/);
  await box.focus();
  const times = [];
  for (const key of ['e', 'x', 'p', 'e', 'r', 't', 's', '.', '7']) {
    await page.evaluate(() => {
      window.filtered = new Promise((resolve) => {
        const box = document.activeElement;
        box.addEventListener(
          'input',
          () => {
            const began = performance.now();
            // Two frames: the first draws what the key changed, the second begins when that is on the screen.
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
          },
          { once: true },
        );
      });
    });
    await page.keyboard.press(key);
    times.push(await page.evaluate(() => window.filtered));
  }
  await box.fill('');
  return Math.max(...times);
};

export const benchWindow = async (folder) => {
  const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (executablePath === undefined) {
    console.log('the window not measured: no Chromium was found, set CHROMIUM_PATH');
    return;
  }
  const sharded = join(folder, 'sharded');
  makeSharded(sharded);
  const rows = join(folder, 'rows.safetensors');
  sparse(
    rows,
    Array.from({ length: ROWS }, (_, index) => nameOf(index)),
  );
  const began = performance.now();
  (await inspectPath(sharded)).close();
  report('163 shards, 90,000 tensors: opened by the library', (performance.now() - began).toFixed(0), 'ms');
  const server = await startServer(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const first = await openIn(await newPage(browser, server.url), join(sharded, INDEX), SHARDED_TENSORS);
    report('    in the window: key to first row', first.row.toFixed(0), 'ms');
    report('    in the window: key to tree and table', first.tree.toFixed(0), 'ms', 'bar 1000');
    const page = await newPage(browser, server.url);
    const second = await openIn(page, rows, ROWS);
    report(`P06 ${ROWS.toLocaleString('en')} rows: key to first row`, second.row.toFixed(0), 'ms', 'bar 1000');
    const { rate, longest } = await scrolling(page);
    report('P06 scrolling', rate.toFixed(0), 'fps', `bar 55, longest frame ${longest.toFixed(0)} ms`);
    report('P06 filter: key to paint, the slowest of 9', (await filtering(page)).toFixed(0), 'ms', 'bar 50');
  } finally {
    await browser.close();
    server.stop();
  }
};
