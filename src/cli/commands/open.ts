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
          // Loaded here, so that the other commands start without a web server.
          const { openDesktop } = await import('../../server/open-desktop.ts');
          await openDesktop(files);
          return EXIT.done;
        }),
      );
  },
};
