// Compiles the hot loops (src/kernels/assembly, AssemblyScript) to WebAssembly and puts the module into
// src/kernels/wasm-module.ts, so that it is code like any other wherever the sources are bundled, packed or tested. The result
// is committed; it is made again when the loops, the compiler or its options are no longer those it was made of.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';

const folder = join(root, 'src', 'kernels', 'assembly');
const target = join(root, 'src', 'kernels', 'wasm-module.ts');

/** 158 pages of 64 KiB: what layout.ts lays out. The memory never grows. */
const PAGES = '158';
const OPTIONS = [
  ...['-O3', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--use', 'abort='],
  ...['--initialMemory', PAGES, '--maximumMemory', PAGES],
  // Vectors are passed between our own functions only.
  ...['--disableWarning', '112'],
];

/** The digest of everything that decides what the module is. */
const digestOfSources = () => {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'assemblyscript', 'package.json'), 'utf8'));
  const hash = createHash('sha256').update(`${version} ${OPTIONS.join(' ')}\n`);
  for (const name of readdirSync(folder).sort()) {
    hash.update(`${name}\n`).update(readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'));
  }
  return hash.digest('hex');
};

/**
 * Compiles the loops.
 *
 * @returns {Promise<Uint8Array>} the module
 */
export const compileKernels = async () => {
  const { main } = await import('assemblyscript/asc');
  let module;
  const { error, stderr } = await main(['index.ts', '--outFile', 'kernels.wasm', ...OPTIONS], {
    readFile: (name, base) => {
      try {
        return readFileSync(join(folder, base ?? '', name), 'utf8');
      } catch {
        // Not there: the compiler looks elsewhere.
        return null;
      }
    },
    writeFile: (_name, content) => {
      module = content;
    },
    listFiles: () => [],
  });
  if (error !== null || module === undefined) {
    throw new Error(`the kernels do not compile\n${stderr.toString()}`, { cause: error });
  }
  return module;
};

/** The text of wasm-module.ts. */
export const moduleText = (module, digest) => {
  const lines = Buffer.from(module)
    .toString('base64')
    .match(/.{1,110}/g);
  return `// Made by scripts/kernels.mjs out of src/kernels/assembly; do not edit.
// Sources: sha256 ${digest}

/** The hot loops as a WebAssembly module of ${module.length} bytes, in base64. */
export const WASM_MODULE =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
};

/** Brings wasm-module.ts up to date. Returns whether it had to be written. */
export const buildKernels = async () => {
  const digest = digestOfSources();
  if (readFileSync(target, { encoding: 'utf8', flag: 'a+' }).includes(digest)) {
    return false;
  }
  writeFileSync(target, moduleText(await compileKernels(), digest));
  return true;
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write((await buildKernels()) ? 'kernels compiled\n' : 'kernels are up to date\n');
}
