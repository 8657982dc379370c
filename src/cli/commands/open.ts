import { openDesktop } from '../../server/open-desktop.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const open: LoupeCommand = {
  register: (program, run) => {
    program
      .command('open')
      .description('the desktop program; the browser version where Electron cannot be had')
      .argument('[files...]', 'files to open')
      .action((files: string[]) =>
        run(false, async () => {
          await openDesktop(files);
          return EXIT.done;
        }),
      );
  },
};
