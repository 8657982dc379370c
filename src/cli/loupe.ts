#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { isLoupeError } from '../shared/errors.ts';
import type { RunCommand } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, exitOfError } from './exit-codes.ts';
import { createOutput } from './output.ts';

const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
};

const run: RunCommand = async (json, work) => {
  const output = createOutput(json === true);
  try {
    process.exitCode = await work(output);
  } catch (fault) {
    if (!isLoupeError(fault)) {
      throw fault;
    }
    output.note(`loupe: ${fault.message}`);
    process.exitCode = exitOfError(fault.code);
  }
};

/** A reader that has gone away (`loupe dump … | head`) is no failure. */
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code === 'EPIPE') {
    process.exit(EXIT.done);
  }
  throw fault;
});

const program = new Command('loupe')
  .description('Looks into the weight files of machine-learning models: what is in them, and whether they are whole.')
  .version(version(), '--version')
  .showHelpAfterError('(--help tells more)')
  .exitOverride();
for (const command of COMMANDS) {
  command.register(program, run);
}
for (const command of program.commands) {
  command.exitOverride();
}
try {
  await program.parseAsync();
} catch (fault) {
  if (!(fault instanceof CommanderError)) {
    throw fault;
  }
  process.exitCode = fault.exitCode === 0 ? EXIT.done : EXIT.usage;
}
