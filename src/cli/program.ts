import { Command, CommanderError } from 'commander';
import { isLoupeError } from '../shared/errors.ts';
import type { RunCommand } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, type ExitCode, exitOfError } from './exit-codes.ts';
import { createOutput } from './output.ts';

/** The whole command line, with every command registered to be run by `run`. Its mistakes are thrown, not exited with. */
export const makeProgram = (version: string, run: RunCommand): Command => {
  const program = new Command('loupe')
    .description('Looks into the weight files of machine-learning models: what is in them, and whether they are whole.')
    .version(version, '--version')
    .showHelpAfterError('(--help tells more)')
    .exitOverride();
  for (const command of COMMANDS) {
    command.register(program, run);
  }
  for (const command of program.commands) {
    command.exitOverride();
  }
  return program;
};

/**
 * Runs one command line to its end: writes to stdout and stderr, and answers what to exit with.
 *
 * @param parameters What was typed behind `loupe`.
 * @param version What `--version` answers.
 * @throws What is no error of ours: a fault of the program.
 */
export const runProgram = async (parameters: readonly string[], version: string): Promise<ExitCode> => {
  let exitCode: ExitCode = EXIT.done;
  const program = makeProgram(version, async (json, work) => {
    const output = createOutput(json === true);
    try {
      exitCode = await work(output);
    } catch (fault) {
      if (!isLoupeError(fault)) {
        throw fault;
      }
      output.note(`loupe: ${fault.message}`);
      exitCode = exitOfError(fault.code);
    }
  });
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return exitCode;
  } catch (fault) {
    if (!(fault instanceof CommanderError)) {
      throw fault;
    }
    return fault.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
};
