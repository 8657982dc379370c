import type { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';

/** A command of `loupe`: one file in `commands/`, one row in `commands.ts`. */
export interface LoupeCommand {
  /** Adds the command to the program; its action calls `run`. */
  register(program: Command, run: RunCommand): void;
}

/** Runs a command's work: makes its output, turns its errors into a message and its answer into the exit code. */
export type RunCommand = (json: boolean | undefined, work: (output: Output) => Promise<ExitCode>) => Promise<void>;
