import type { Checkpoint } from '../../core/checkpoint.ts';
import { FolderFold, type FolderStats } from '../../core/scan/folder-fold.ts';
import { folderOrder, folderTree } from '../../core/scan/folder-tree.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT, type ExitCode, exitOfError } from '../exit-codes.ts';
import { exitOfListing, tensorsNamed, withCheckpoint } from '../open-for-command.ts';
import { parseCount } from '../options.ts';
import type { Output } from '../output.ts';
import { type ScanResult, scanForCommand } from '../scan-for-command.ts';
import { StatsPrinter } from '../stats-output.ts';

const DEFAULT_BINS = 128;

interface Options {
  readonly all?: boolean;
  readonly bins?: number;
  readonly folders?: boolean;
  readonly state?: boolean;
  readonly json?: boolean;
}

interface Work {
  readonly checkpoint: Checkpoint;
  readonly ids: readonly number[];
  readonly bins: number;
  readonly folders: boolean;
  readonly state: boolean;
  readonly output: Output;
}

/** Notes tensors that cannot be read. @returns the others. */
const readableOf = ({ checkpoint: { table }, ids, output }: Work): number[] =>
  ids.filter((id) => {
    const problem = table.problem(id);
    if (problem !== undefined) {
      output.note(`loupe: tensor "${table.name(id)}" cannot be read: ${problem}`);
    }
    return problem === undefined;
  });

/** Hands on results in the order asked for as soon as those before them are there. */
const inOrder = (ids: readonly number[], handOn: (result: ScanResult) => Promise<void>) => {
  const waiting = new Map<number, ScanResult>();
  // A name may have been given twice.
  const lastPlace = new Map(ids.map((id, place) => [id, place]));
  let next = 0;
  let handed = Promise.resolve();
  return {
    add: (result: ScanResult): void => {
      waiting.set(result.tensorId, result);
      for (let id = ids[next]; id !== undefined && waiting.has(id); id = ids[next]) {
        const ready = waiting.get(id);
        if (lastPlace.get(id) === next) {
          waiting.delete(id);
        }
        next += 1;
        handed = ready === undefined ? handed : handed.then(() => handOn(ready));
      }
    },
    end: (): Promise<void> => handed,
  };
};

const printStats = async (work: Work): Promise<ExitCode> => {
  const { checkpoint, ids, bins, folders, state, output } = work;
  const { table } = checkpoint;
  const readable = readableOf(work);
  let exit: ExitCode = readable.length < ids.length ? EXIT.damaged : EXIT.done;
  const printer = new StatsPrinter(output);
  const ordered = inOrder(readable, async (result) => {
    const { file, name } = table.row(result.tensorId);
    if ('error' in result) {
      output.note(`loupe: tensor "${name}": ${result.error.message}`);
      exit = exitOfError(result.error.code);
    } else {
      const { stats, data } = result.scanned;
      await printer.entry({ stats, file, state: state ? data : undefined });
    }
  });
  const summed: FolderStats[] = [];
  const tree = folders ? folderTree(table.length, (id) => table.name(id)) : undefined;
  const fold = tree && new FolderFold(tree, bins, (stats) => summed.push(stats));
  for (const id of fold === undefined ? [] : ids) {
    if (table.problem(id) !== undefined) {
      fold?.skip(id);
    }
  }
  // States are printed in the file's order; without them a scan by folder keeps few folders open.
  const scanOrder =
    tree === undefined || state
      ? [...new Set(readable)]
      : [...folderOrder(tree)].filter((id) => table.problem(id) === undefined);
  await scanForCommand(checkpoint, scanOrder, bins, {
    keep: folders || state,
    onResult: (result) => {
      if ('error' in result) {
        fold?.skip(result.tensorId);
        ordered.add(result);
        return;
      }
      const { data } = result.scanned;
      if (data !== undefined) {
        fold?.add(result.tensorId, data);
      }
      ordered.add(state ? result : { ...result, scanned: { ...result.scanned, data: undefined } });
    },
  });
  await ordered.end();
  for (const folder of summed.sort((a, b) => a.folder - b.folder)) {
    await printer.folder(folder);
  }
  await printer.end();
  return exit;
};

export const stats: LoupeCommand = {
  register: (program, run) => {
    program
      .command('stats')
      .description('statistics of tensors: counts, min, max, mean, std, quantiles, histogram')
      .argument('<file>')
      .argument('[names...]', 'names of tensors, or #ID')
      .option('--all', 'every tensor')
      .option('--folders', 'with --all: the figures of every folder and of the whole model too')
      .option('--state', 'add to each tensor in JSON all that `merge --folders` needs')
      .option('--bins <n>', `histogram bins (default ${DEFAULT_BINS})`, parseCount)
      .option('--json', 'print JSON')
      .action((file: string, names: string[], options: Options) =>
        run(options.json, async (output) => {
          const { all = false, bins = DEFAULT_BINS, folders = false, state = false, json = false } = options;
          if (all === names.length > 0) {
            throw new LoupeError('usage', 'name the tensors to scan, or give --all');
          }
          if (bins < 1 || bins > 65_536) {
            throw new LoupeError('usage', '--bins takes 1 to 65536');
          }
          if (folders && !all) {
            throw new LoupeError('usage', '--folders sums up every tensor: give it with --all');
          }
          if (state && !json) {
            throw new LoupeError('usage', '--state is for programs: give it with --json');
          }
          return withCheckpoint(file, output, async (checkpoint) => {
            const ids = all
              ? Array.from({ length: checkpoint.table.length }, (_, id) => id)
              : tensorsNamed(checkpoint, names).map(({ id }) => id);
            const listing = exitOfListing(checkpoint);
            const exit = await printStats({ checkpoint, ids, bins, folders, state, output });
            return listing === EXIT.done ? exit : listing;
          });
        }),
      );
  },
};
