import type { DistributionData } from '../core/distribution/distribution.ts';
import { distributionJson } from '../core/distribution/distribution-json.ts';
import type { FolderStats } from '../core/scan/folder-fold.ts';
import { folderJson } from '../core/scan/folder-json.ts';
import type { TensorStats } from '../shared/checkpoint-types.ts';
import { escapeText } from '../shared/escape-text.ts';
import { formatInt, formatStatistic } from '../shared/format-number.ts';
import { type JsonInput, strictJson } from '../shared/strict-json.ts';
import { statsJson } from '../shared/tensor-forms.ts';
import type { Output } from './output.ts';

/** One tensor of `stats`. */
export interface StatsEntry {
  readonly stats: TensorStats;
  /** Base name of the file that holds it. */
  readonly file: string;
  /** Everything that merging needs, when it was asked for. */
  readonly state: DistributionData | undefined;
}

/** `stats`' form of a tensor. */
export const entryJson = ({ stats, file, state }: StatsEntry): JsonInput => ({
  ...statsJson(stats),
  file,
  state: state === undefined ? undefined : distributionJson(state),
});

const numbersText = ({ count, nan, posInf, negInf, zeros, min, max, mean, std }: TensorStats): string =>
  [
    `count ${formatInt(count)}`,
    `min ${formatStatistic(min, 9)}`,
    `max ${formatStatistic(max, 9)}`,
    `mean ${formatStatistic(mean, 9)}`,
    `std ${formatStatistic(std, 9)}`,
    `zeros ${formatInt(zeros)}`,
    `NaN ${formatInt(nan)}`,
    `+Inf ${formatInt(posInf)}`,
    `-Inf ${formatInt(negInf)}`,
  ].join(', ');

/** A tensor's line. */
export const entryText = (stats: TensorStats): string =>
  `${escapeText(stats.name)} ${stats.dtype}: ${numbersText(stats)}`;

/** A folder's lines: its floats, and its integers if there are any. */
export const folderLines = ({ path, tensors, unread, floats, integers }: FolderStats): string[] => {
  const which = path === undefined ? 'the whole model' : `${escapeText(path)}.`;
  const missing = unread > 0 ? `, ${formatInt(unread)} not read` : '';
  const head = `${which} (${formatInt(tensors)} ${tensors === 1 ? 'tensor' : 'tensors'}${missing})`;
  const kinds = [floats, integers].flatMap((stats) => (stats === undefined ? [] : [stats]));
  return kinds.length === 0
    ? [`${head}: no numbers`]
    : kinds.map((stats) => `${head} ${stats.dtype}: ${numbersText(stats)}`);
};

/** Prints `stats`' list item by item: JSON as one array, or lines of text. */
export class StatsPrinter {
  readonly #output: Output;
  #printed = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  async entry(entry: StatsEntry): Promise<void> {
    if (this.#output.json) {
      await this.json(entryJson(entry));
    } else {
      this.#output.line(entryText(entry.stats));
    }
  }

  async folder(folder: FolderStats): Promise<void> {
    if (this.#output.json) {
      await this.json(folderJson(folder));
    } else {
      for (const line of folderLines(folder)) {
        this.#output.line(line);
      }
    }
  }

  /** One item of the array, as it is. */
  async json(item: JsonInput): Promise<void> {
    await this.#output.raw(`${this.#printed === 0 ? '[' : ',\n'}${strictJson(item)}`);
    this.#printed += 1;
  }

  /** Ends the array. */
  async end(): Promise<void> {
    if (this.#output.json) {
      await this.#output.raw(this.#printed === 0 ? '[]\n' : ']\n');
    }
  }
}
