import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const require = createRequire(import.meta.url);

/**
 * The JavaScript file behind a command of an installed package, so that no shell and no `.cmd` stands in between.
 *
 * @param {string} packageName
 * @param {string} command
 * @returns {string}
 */
export const binOf = (packageName, command = packageName) => {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = require(join(folder, 'package.json'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
};

/**
 * Runs a program of Node and resolves with its exit code (130 when a signal ended it).
 *
 * @param {readonly string[]} parameters the script and what it is given
 * @param {{ env?: Record<string, string>, collect?: boolean }} [options] `collect` prints the output in one piece at the end
 * @returns {Promise<number>}
 */
export const runNode = (parameters, { env = {}, collect = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parameters, {
      cwd: root,
      stdio: collect ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...env },
    });
    const pieces = [];
    child.stdout?.on('data', (piece) => pieces.push(piece));
    child.stderr?.on('data', (piece) => pieces.push(piece));
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(pieces));
      resolve(code ?? 130);
    });
  });

/**
 * Runs several at once and resolves with the first exit code that is not 0.
 *
 * @param {readonly (readonly string[])[]} commands
 * @returns {Promise<number>}
 */
export const runTogether = async (commands) => {
  const codes = await Promise.all(commands.map((parameters) => runNode(parameters, { collect: true })));
  return codes.find((code) => code !== 0) ?? 0;
};
