// npm run package: packs what npm would publish, installs the tarball in an empty folder and uses it there: the command, the
// library from plain JavaScript, and its types from a strict consumer (the README's example among them). Needs a build.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binOf, root } from './run.mjs';

/** What a package may hold: built code, samples and the papers. */
const WANTED = /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|samples\/|out\/(lib|main|preload|renderer)\/)/;
const UNWANTED = /(^|\/)(test|bench|fuzz|node_modules)\/|\.(tsbuildinfo|map)$|(?<!\.d)\.tsx?$/;

const folder = mkdtempSync(join(tmpdir(), 'tensor-loupe-package-'));
const consumer = join(folder, 'consumer');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Runs a program and returns what it printed; its errors go to the terminal. */
const run = (program, parameters, cwd) =>
  execFileSync(program, parameters, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: program === 'npm.cmd',
  });

const check = (what, holds) => {
  if (!holds) {
    throw new Error(`package: ${what}`);
  }
  process.stdout.write(`ok: ${what}\n`);
};

const pack = () => {
  const [{ filename, files, size }] = JSON.parse(
    run(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
  );
  const strange = files.map(({ path }) => path).filter((path) => !WANTED.test(path) || UNWANTED.test(path));
  check(
    `${files.length} files, ${(size / 1e6).toFixed(1)} MB, none that a user does not need ${strange.slice(0, 5)}`,
    strange.length === 0,
  );
  return join(folder, filename);
};

const JAVASCRIPT = `
import { open, write } from 'tensor-loupe';
const file = write('out.safetensors');
file.add('w', 'F32', [2], Float32Array.of(1, 2));
await file.finish();
const checkpoint = await open('out.safetensors');
console.log((await checkpoint.get('w').toFloat32()).join());
checkpoint.close();
`;

/** Uses what the README leaves out, and must not compile where the types are wrong. */
const TYPESCRIPT = `
import { type Checkpoint, CheckpointError, inspect, isLoupeError, memorySource, type TensorData, write } from 'tensor-loupe';
const data: TensorData = [new Uint8Array(1)];
write('x.safetensors', { overwrite: true, signal: new AbortController().signal }).add('a', 'U8', [1], data);
const checkpoint: Checkpoint = await inspect(memorySource(new Uint8Array(8)));
const codes: string[] = checkpoint.findings.map(({ code }) => code);
console.log(codes, isLoupeError(new Error()), CheckpointError.name);
// @ts-expect-error a shape is a list of numbers
write('x.safetensors').add('a', 'U8', 1, data);
`;

const install = (tarball) => {
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  run(npm, ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], consumer);
  check('installs in an empty folder', existsSync(join(consumer, 'node_modules', 'tensor-loupe', 'package.json')));
  check('brings no Electron', !existsSync(join(consumer, 'node_modules', 'electron')));
};

const tryCommand = () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const command = join(consumer, 'node_modules', '.bin', process.platform === 'win32' ? 'loupe.cmd' : 'loupe');
  const sample = join(consumer, 'node_modules', 'tensor-loupe', 'samples', 'sample.safetensors');
  const loupe = (...parameters) => run(command, parameters, consumer).trim();
  check(`loupe --version prints ${version}`, loupe('--version') === version);
  check('loupe info opens the sample', JSON.parse(loupe('info', sample, '--json')).verdict === 'clean');
};

const tryLibrary = () => {
  writeFileSync(join(consumer, 'use.js'), JAVASCRIPT);
  check('the library writes and reads', run(process.execPath, ['use.js'], consumer).trim() === '1,2');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  check('the README has an example', example.includes("from 'tensor-loupe'"));
  writeFileSync(join(consumer, 'example.ts'), example);
  writeFileSync(join(consumer, 'use.ts'), TYPESCRIPT);
  // Node's own types are the consumer's business; here those of this project will do.
  symlinkSync(join(root, 'node_modules', '@types'), join(consumer, 'node_modules', '@types'), 'junction');
  for (const [module, moduleResolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'Bundler'],
  ]) {
    const compilerOptions = { strict: true, noEmit: true, target: 'ES2023', types: ['node'], module, moduleResolution };
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    run(process.execPath, [binOf('typescript', 'tsc'), '-p', '.', '--skipLibCheck', 'false'], consumer);
    check(`its types hold under ${moduleResolution}`, true);
  }
};

try {
  install(pack());
  tryCommand();
  tryLibrary();
} catch (fault) {
  process.stderr.write(`${fault instanceof Error ? `${fault.message}\n${fault.stdout ?? ''}` : fault}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
