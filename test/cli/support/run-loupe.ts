import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';

/** The built command line. */
export const COMMAND = fileURLToPath(new URL('../../../out/lib/cli/loupe.js', import.meta.url));

/** What a run of the command line printed and how it ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Path of a file in test/fixtures. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

/** Gathers what is written to a stream, instead of letting it through. */
const gather = (stream: NodeJS.WriteStream) => {
  let text = '';
  const spy = vi.spyOn(stream, 'write').mockImplementation((piece: string | Uint8Array) => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    return true;
  });
  return { text: () => text, stop: () => spy.mockRestore() };
};

/** Runs the command line here, from the sources: starting a process would take longer than most commands. One at a time. */
export const runLoupe = async (...parameters: readonly string[]): Promise<Run> => {
  const [stdout, stderr] = [gather(process.stdout), gather(process.stderr)];
  try {
    const code = await runProgram(parameters, '0.0.0');
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.stop();
    stderr.stop();
  }
};

/** As {@link runLoupe} with `--json`; stdout must be one JSON value and nothing else. */
export const runJson = async (...parameters: readonly string[]): Promise<{ code: number; value: unknown }> => {
  const { code, stdout } = await runLoupe(...parameters, '--json');
  return { code, value: JSON.parse(stdout) };
};

/**
 * Runs the built `loupe` in a process of its own.
 *
 * @throws Error when a signal ended it.
 */
export const runBuilt = (...parameters: readonly string[]): Promise<Run> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [COMMAND, ...parameters],
      { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } },
      (fault, stdout, stderr) => {
        const code = fault === null ? 0 : fault.code;
        if (typeof code === 'number') {
          resolve({ code, stdout, stderr });
        } else {
          reject(new Error(`loupe ${parameters.join(' ')} was ended by ${fault?.signal ?? code}: ${stderr}`));
        }
      },
    );
  });
