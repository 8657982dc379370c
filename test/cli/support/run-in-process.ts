import { Command, CommanderError } from 'commander';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { EXIT, exitOfError } from '../../../src/cli/exit-codes.ts';
import type { Output } from '../../../src/cli/output.ts';
import { isLoupeError } from '../../../src/shared/errors.ts';
import type { Finding } from '../../../src/shared/findings.ts';
import { strictJson } from '../../../src/shared/strict-json.ts';
import type { Run } from './run-loupe.ts';

/** What a command printed and found, without a process of its own. */
export interface InProcessRun extends Run {
  readonly findings: readonly Finding[];
}

/** Runs a command of `loupe` here, from the sources, which is much quicker than starting the built program. */
export const runInProcess = async (...parameters: readonly string[]): Promise<InProcessRun> => {
  let stdout = '';
  let stderr = '';
  let code: number = EXIT.done;
  const found: Finding[] = [];
  const output = (json: boolean): Output => ({
    json,
    line: (text) => {
      stdout += `${text}\n`;
    },
    value: (value) => {
      stdout += `${strictJson(value)}\n`;
    },
    raw: async (text) => {
      stdout += text;
    },
    note: (text) => {
      stderr += `${text}\n`;
    },
    findings: (findings) => {
      found.push(...findings);
    },
  });
  const program = new Command('loupe').exitOverride();
  for (const command of COMMANDS) {
    command.register(program, async (json, work) => {
      try {
        code = await work(output(json === true));
      } catch (fault) {
        if (!isLoupeError(fault)) {
          throw fault;
        }
        stderr += `loupe: ${fault.message}\n`;
        code = exitOfError(fault.code);
      }
    });
  }
  for (const command of program.commands) {
    command.exitOverride().configureOutput({
      writeErr: (text) => {
        stderr += text;
      },
    });
  }
  try {
    await program.parseAsync([...parameters], { from: 'user' });
  } catch (fault) {
    if (!(fault instanceof CommanderError)) {
      throw fault;
    }
    code = fault.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return { code, stdout, stderr, findings: found };
};
