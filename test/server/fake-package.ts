import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PackageFiles } from '../../src/server/package-files.ts';

const SAMPLE = fileURLToPath(new URL('../fixtures/good/all_dtypes.safetensors', import.meta.url));

/** Writes a file and the folders above it. */
export const write = (path: string, text: string, mode = 0o644): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

/** A script that Node runs when it is started as a program. */
export const program = (path: string, body: string): string => write(path, `#!${process.execPath}\n${body}\n`, 0o755);

/** A package as if it had been built in `root`, with a page of one line. */
export const fakePackage = (root: string, scanWorker: string): PackageFiles => {
  write(join(root, 'package.json'), '{"name":"tensor-loupe","version":"1.2.3"}');
  return {
    root,
    version: '1.2.3',
    page: dirname(write(join(root, 'out/renderer/index.html'), '<!doctype html>')),
    sample: SAMPLE,
    scanWorker,
    electronMain: write(join(root, 'out/main/index.js'), ''),
  };
};

/** Puts a package `electron` into a root: its installer's body and, when given, the body of its installed program. */
export const fakeElectron = (root: string, installer: string, binary?: string): string => {
  const folder = join(root, 'node_modules/electron');
  write(join(folder, 'package.json'), '{"name":"electron","version":"0.0.0"}');
  write(join(folder, 'install.js'), installer);
  if (binary !== undefined) {
    write(join(folder, 'path.txt'), 'electron');
    program(join(folder, 'dist/electron'), binary);
  }
  return folder;
};
