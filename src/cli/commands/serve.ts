import type { LoupeCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { parseCount, parsePort } from '../options.ts';

interface Options {
  readonly port: number;
  readonly root: readonly string[];
  readonly open: boolean;
  readonly idleClose?: number;
}

const collect = (value: string, previous: readonly string[]): readonly string[] => [...previous, value];

export const serve: LoupeCommand = {
  register: (program, run) => {
    program
      .command('serve')
      .description('the browser version, on loopback only; prints its address')
      .argument('[files...]', 'files to open')
      .option('--port <n>', 'port to listen on; 0 takes a free one', parsePort, 0)
      .option('--root <folder>', 'a folder the page may look into; repeatable', collect, [])
      .option('--no-open', 'do not open a browser')
      .option('--idle-close <seconds>', 'end when no page has been connected for this long', parseCount)
      .action((files: string[], { port, root, open, idleClose }: Options) =>
        run(false, async () => {
          const idle = idleClose === undefined ? {} : { idleClose };
          // Loaded here, so that the other commands start without a web server.
          const { serveBrowserVersion } = await import('../../server/serve-browser-version.ts');
          await serveBrowserVersion({ files, port, roots: root, open, ...idle });
          return EXIT.done;
        }),
      );
  },
};
