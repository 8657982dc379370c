import type { Checkpoint } from '../../core/checkpoint.ts';
import type { TensorStats } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { formatInt, formatStatistic } from '../../shared/format-number.ts';
import { type JsonInput, strictJson } from '../../shared/strict-json.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT, type ExitCode, exitOfError } from '../exit-codes.ts';
import { statsJson } from '../json-forms.ts';
import { exitOfListing, tensorsNamed, withCheckpoint } from '../open-for-command.ts';
import { parseCount } from '../options.ts';
import type { Output } from '../output.ts';
import { scanForCommand } from '../scan-for-command.ts';

const DEFAULT_BINS = 128;

interface Options {
  readonly all?: boolean;
  readonly bins?: number;
  readonly json?: boolean;
}

const textLine = (stats: TensorStats): string => {
  const { count, nan, posInf, negInf, zeros, min, max, mean, std } = stats;
  const numbers = [
    `count ${formatInt(count)}`,
    `min ${formatStatistic(min, 9)}`,
    `max ${formatStatistic(max, 9)}`,
    `mean ${formatStatistic(mean, 9)}`,
    `std ${formatStatistic(std, 9)}`,
    `zeros ${formatInt(zeros)}`,
    `NaN ${formatInt(nan)}`,
    `+Inf ${formatInt(posInf)}`,
    `-Inf ${formatInt(negInf)}`,
  ];
  return `${escapeText(stats.name)} ${stats.dtype}: ${numbers.join(', ')}`;
};

const printStats = async (checkpoint: Checkpoint, ids: readonly number[], bins: number, output: Output) => {
  const readable = ids.filter((id) => checkpoint.table.problem(id) === undefined);
  let exit: ExitCode = EXIT.done;
  for (const id of ids) {
    const problem = checkpoint.table.problem(id);
    if (problem !== undefined) {
      output.note(`loupe: tensor "${checkpoint.table.name(id)}" cannot be read: ${problem}`);
      exit = EXIT.damaged;
    }
  }
  const printed: JsonInput[] = [];
  for (const result of await scanForCommand(checkpoint, readable, bins)) {
    if ('error' in result) {
      output.note(`loupe: tensor "${checkpoint.table.name(result.tensorId)}": ${result.error.message}`);
      exit = exitOfError(result.error.code);
    } else if (output.json) {
      printed.push(statsJson(result.scanned.stats));
    } else {
      output.line(textLine(result.scanned.stats));
    }
  }
  if (output.json) {
    await output.raw(`[${printed.map(strictJson).join(',\n')}]\n`);
  }
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
      .option('--bins <n>', `histogram bins (default ${DEFAULT_BINS})`, parseCount)
      .option('--json', 'print JSON')
      .action((file: string, names: string[], { all, bins = DEFAULT_BINS, json }: Options) =>
        run(json, async (output) => {
          if ((all === true) === names.length > 0) {
            throw new LoupeError('usage', 'name the tensors to scan, or give --all');
          }
          if (bins < 1 || bins > 65_536) {
            throw new LoupeError('usage', '--bins takes 1 to 65536');
          }
          return withCheckpoint(file, output, async (checkpoint) => {
            const ids = all
              ? Array.from({ length: checkpoint.table.length }, (_, id) => id)
              : tensorsNamed(checkpoint, names).map(({ id }) => id);
            const listing = exitOfListing(checkpoint);
            const exit = await printStats(checkpoint, ids, bins, output);
            return listing === EXIT.done ? exit : listing;
          });
        }),
      );
  },
};
