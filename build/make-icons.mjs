// Draws build/icon.svg in every size the platforms want and packs them: node build/make-icons.mjs
// Needs Chromium (CHROMIUM_PATH, or the usual places). The results are committed; run it again after changing the drawing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const folder = dirname(fileURLToPath(import.meta.url));
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
/** What Linux desktops look for, in build/icons/. */
const LINUX = [16, 24, 32, 48, 64, 128, 256, 512];
/** At most 256: a size is one byte in an ICO directory, and 0 means 256. */
const WINDOWS = [16, 24, 32, 48, 64, 128, 256];
/** Types of an ICNS file whose content is a PNG, with the side in pixels. */
const MAC = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

const findChromium = () => {
  const places = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = places.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) {
    throw new Error('no Chromium found; set CHROMIUM_PATH');
  }
  return found;
};

/** PNG files of the drawing by side in pixels. */
const draw = async () => {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
  const images = new Map();
  for (const size of SIZES) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
    images.set(size, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return images;
};

/** An ICO file of PNG images: a header of 6 bytes, 16 bytes an image, the images. */
const packIco = (images) => {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let at = head.length;
  images.forEach(([size, png], index) => {
    const entry = 6 + 16 * index;
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  });
  return Buffer.concat([head, ...images.map(([, png]) => png)]);
};

/** An ICNS file: `icns`, its length, then type, length and content of each image, big-endian. */
const packIcns = (images) => {
  const parts = images.flatMap(([type, png]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(png.length + 8, 4);
    return [head, png];
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 8),
    4,
  );
  return Buffer.concat([head, ...parts]);
};

const images = await draw();
for (const size of LINUX) {
  writeFileSync(join(folder, 'icons', `${size}x${size}.png`), images.get(size));
}
writeFileSync(join(folder, 'icon.png'), images.get(1024));
writeFileSync(join(folder, 'icon.ico'), packIco(WINDOWS.map((size) => [size, images.get(size)])));
writeFileSync(join(folder, 'icon.icns'), packIcns(MAC.map(([type, size]) => [type, images.get(size)])));
