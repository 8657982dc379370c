import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the parts of the built package lie. */
export interface PackageFiles {
  readonly root: string;
  readonly version: string;
  /** The built page. */
  readonly page: string;
  readonly sample: string;
  /** The worker entry of the scan engine. */
  readonly scanWorker: string;
  /** The Electron program's entry. */
  readonly electronMain: string;
}

const isOurs = (value: unknown): value is { readonly name: string; readonly version: string } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  value.name === 'tensor-loupe' &&
  'version' in value &&
  typeof value.version === 'string';

const findRoot = (folder: string): { readonly root: string; readonly version: string } => {
  const file = join(folder, 'package.json');
  if (existsSync(file)) {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isOurs(manifest)) {
      return { root: folder, version: manifest.version };
    }
  }
  const above = dirname(folder);
  if (above === folder) {
    throw new Error('the folder of the tensor-loupe package was not found');
  }
  return findRoot(above);
};

/** Finds the package this module belongs to, from its own place upwards. */
export const packageFiles = (): PackageFiles => {
  const { root, version } = findRoot(dirname(fileURLToPath(import.meta.url)));
  return {
    root,
    version,
    page: join(root, 'out', 'renderer'),
    sample: join(root, 'samples', 'sample.safetensors'),
    scanWorker: join(root, 'out', 'lib', 'node', 'scan', 'scan-worker.js'),
    electronMain: join(root, 'out', 'main', 'index.js'),
  };
};
