import { expect, it } from 'vitest';
import { appFiles } from '../../src/main/app-files.ts';

it('finds the program’s parts in a development tree', () => {
  expect(appFiles({ isPackaged: false, getAppPath: () => '/src/my loupe' }, '/unused')).toEqual({
    page: '/src/my loupe/out/renderer',
    preload: '/src/my loupe/out/preload/index.cjs',
    sample: '/src/my loupe/samples/sample.safetensors',
    scanWorker: new URL('file:///src/my%20loupe/out/main/scan-worker.js'),
  });
});

it('finds the sample outside the archive of a packaged program, since it is mapped', () => {
  const files = appFiles(
    { isPackaged: true, getAppPath: () => '/opt/loupe/resources/app.asar' },
    '/opt/loupe/resources',
  );
  expect(files.sample).toBe('/opt/loupe/resources/samples/sample.safetensors');
  expect(files.page).toBe('/opt/loupe/resources/app.asar/out/renderer');
});
