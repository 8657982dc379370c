import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Converted, convertCheckpoint } from '../../node/writing/convert-checkpoint.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { formatInt } from '../../shared/format-number.ts';
import { parseBytes } from '../../shared/parse-bytes.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { withCheckpoint } from '../open-for-command.ts';
import { repeated } from '../options.ts';
import type { Output } from '../output.ts';
import { progressBar } from '../scan-progress.ts';
import { untilInterrupted } from '../until-interrupted.ts';

interface Options {
  readonly output: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxShardSize?: number;
  readonly metadata?: readonly (readonly [string, string])[];
  readonly force?: boolean;
  readonly json?: boolean;
}

const parseSize = (text: string): number => {
  const bytes = parseBytes(text);
  if (bytes === undefined) {
    throw new InvalidArgumentError('expected a size such as 5GB, 500MB or 2GiB');
  }
  return bytes;
};

const collectPair = (
  text: string,
  before: readonly (readonly [string, string])[] | undefined,
): (readonly [string, string])[] => {
  const equals = text.indexOf('=');
  if (equals < 0) {
    throw new InvalidArgumentError('expected KEY=VALUE');
  }
  return [...(before ?? []), [text.slice(0, equals), text.slice(equals + 1)]];
};

const print = (output: Output, { written, index, notes }: Converted): void => {
  for (const note of notes) {
    output.note(`note: ${note}`);
  }
  if (output.json) {
    const files = written.map(({ name, path, bytes, tensors }) => ({ name, path, bytes, tensors }));
    output.value({ written: files, index: index ?? null, notes });
    return;
  }
  for (const { path, bytes, tensors = 0 } of written) {
    output.line(escapeText(`${path} (${formatInt(tensors)} tensors, ${bytes} bytes)`));
  }
  if (index !== undefined) {
    output.line(escapeText(`${index} (index)`));
  }
};

const withOptions = (command: Command): Command =>
  command
    .requiredOption('-o, --output <path>', 'the file to write, or the folder with --max-shard-size')
    .addOption(new Option('--include <glob>', 'only tensors whose name matches; repeatable').argParser(repeated))
    .addOption(new Option('--exclude <glob>', 'leave out tensors whose name matches; repeatable').argParser(repeated))
    .option('--max-shard-size <size>', 'spread over shards of at most this many bytes, such as 5GB or 2GiB', parseSize)
    .addOption(new Option('--metadata <key=value>', 'set a metadata entry; repeatable').argParser(collectPair))
    .option('--force', 'replace files that are there already')
    .option('--json', 'print JSON');

export const convert: LoupeCommand = {
  register: (program, run) => {
    withOptions(
      program
        .command('convert')
        .description('write a checkpoint anew as safetensors: filtered, spread over shards, or joined into one file')
        .argument('<file>'),
    ).action((file: string, options: Options) =>
      run(options.json, (output) =>
        withCheckpoint(file, output, async (checkpoint) => {
          const { include, exclude, maxShardSize: maxShardBytes, metadata, force: overwrite } = options;
          const progress = progressBar('writing');
          try {
            const converted = await untilInterrupted((signal) =>
              convertCheckpoint({
                checkpoint,
                options: { output: options.output, include, exclude, maxShardBytes, metadata, overwrite },
                signal,
                onProgress: progress.update,
              }),
            );
            progress.stop();
            print(output, converted);
          } finally {
            progress.stop();
          }
          return EXIT.done;
        }),
      ),
    );
  },
};
