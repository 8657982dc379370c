import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../../out/lib/cli/loupe.js', import.meta.url));

/** What a run of the built command line printed and how it ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Path of a file in test/fixtures. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

/** Runs the built `loupe`. */
export const runLoupe = (...parameters: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [COMMAND, ...parameters],
      { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr });
      },
    );
  });

/** Runs the built `loupe … --json` and parses its stdout, which must be one JSON value and nothing else. */
export const runJson = async (...parameters: readonly string[]): Promise<{ code: number; value: unknown }> => {
  const { code, stdout } = await runLoupe(...parameters, '--json');
  return { code, value: JSON.parse(stdout) };
};
