import type { LoupeCommand } from '../command.ts';
import type { MergeOptions } from '../merge-stats.ts';

export const merge: LoupeCommand = {
  register: (program, run) => {
    program
      .command('merge')
      .description('what several machines printed with `stats --all --json`, as one machine prints it for the whole')
      .argument('<parts...>', 'JSON files')
      .option('--folders', 'the figures of every folder and of the whole model too; the parts need --state')
      .option('--state', 'keep the states, to merge the result again')
      .option('--json', 'print JSON')
      .action((files: string[], options: MergeOptions & { readonly json?: boolean }) =>
        // Checking the parts takes a library that no other command wants to load.
        run(options.json, async (output) => (await import('../merge-stats.ts')).mergeParts(files, options, output)),
      );
  },
};
