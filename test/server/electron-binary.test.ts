import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { electronBinary } from '../../src/server/electron-binary.ts';
import { fakeElectron, write } from './fake-package.ts';

describe('Electron’s program', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'loupe-electron-'));
    write(join(root, 'package.json'), '{}');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const path = (): string => join(root, 'node_modules/electron/dist/electron');

  it('is taken where it is installed', async () => {
    fakeElectron(root, 'process.exit(1)', '');
    expect(await electronBinary(root, 10_000)).toEqual({ kind: 'found', path: path() });
  });

  it('is missing without the package', async () => {
    expect(await electronBinary(root, 10_000)).toEqual({ kind: 'missing', why: 'Electron is not installed' });
  });

  it('is fetched by the package’s own installer', async () => {
    fakeElectron(
      root,
      `const fs = require('node:fs');
       fs.mkdirSync(__dirname + '/dist');
       fs.writeFileSync(__dirname + '/dist/electron', '');
       fs.writeFileSync(__dirname + '/path.txt', 'electron');`,
    );
    expect(await electronBinary(root, 10_000)).toEqual({ kind: 'found', path: path() });
  });

  it.each([
    ['fails', 'process.exit(1)'],
    ['says it has, and has not', ''],
  ])('is missing when that %s', async (_how, installer) => {
    fakeElectron(root, installer);
    expect(await electronBinary(root, 10_000)).toEqual({
      kind: 'missing',
      why: "Electron's program could not be fetched",
    });
  });

  it('is missing when that takes too long, and the installer is ended', async () => {
    const alive = join(root, 'alive');
    fakeElectron(root, `setTimeout(() => require('node:fs').writeFileSync(${JSON.stringify(alive)}, ''), 1000)`);
    const outcome = await electronBinary(root, 300);
    expect(outcome).toMatchObject({ kind: 'missing', why: expect.stringContaining('within 0.3 s') });
    await sleep(1200);
    expect(existsSync(alive)).toBe(false);
  });
});
