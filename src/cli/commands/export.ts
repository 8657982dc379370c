import { extname, resolve } from 'node:path';
import { Option } from 'commander';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { oneRow } from '../../core/tensor/tensor-table.ts';
import { type EncodeOptions, EXPORT_EXTENSIONS, encodeTensor } from '../../core/writing/encode-tensor.ts';
import { precisionNote } from '../../core/writing/precision.ts';
import { exportMany } from '../../node/writing/export-many.ts';
import { exportTensor } from '../../node/writing/export-tensor.ts';
import { EXPORT_FORMATS, type ExportFormat, type WrittenFile } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { escapeText } from '../../shared/escape-text.ts';
import type { JsonInput } from '../../shared/strict-json.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { tensorsNamed, withCheckpoint } from '../open-for-command.ts';
import { f6OrderOption, repeated } from '../options.ts';
import type { Output } from '../output.ts';
import { progressBar } from '../scan-progress.ts';
import { untilInterrupted } from '../until-interrupted.ts';

interface Options {
  readonly output: string;
  readonly format?: ExportFormat;
  readonly dtype?: 'native' | 'f32';
  readonly slice?: string;
  readonly include?: string;
  readonly exclude?: readonly string[];
  readonly force?: boolean;
  readonly f6Order?: 'lsb' | 'msb';
  readonly json?: boolean;
}

/** The format asked for, else the one the file's extension names, else f32. */
const formatOf = ({ format, output }: Options): ExportFormat => {
  const extension = extname(output).slice(1).toLowerCase();
  return format ?? EXPORT_FORMATS.find((known) => EXPORT_EXTENSIONS[known] === extension) ?? 'f32';
};

/** Writes what matches into a folder, each under a safe file name, and a manifest that maps the names back. */
const writeMany = async (
  checkpoint: Checkpoint,
  include: string,
  { output: folder, exclude, format = 'f32', dtype, slice, f6Order, force: overwrite }: Options,
  output: Output,
): Promise<readonly WrittenFile[]> => {
  const progress = progressBar('writing');
  try {
    const { written, notes } = await untilInterrupted((signal) =>
      exportMany({
        checkpoint,
        options: { include, exclude, folder, format, dtype, slice, f6Order, overwrite },
        signal,
        onProgress: progress.update,
      }),
    );
    progress.stop();
    for (const note of notes) {
      output.note(`note: ${note}`);
    }
    return written;
  } finally {
    progress.stop();
  }
};

const writeOne = async (
  checkpoint: Checkpoint,
  name: string,
  options: Options,
  output: Output,
): Promise<readonly WrittenFile[]> => {
  const tensors = tensorsNamed(checkpoint, [name]);
  const { dtype, slice, f6Order, force } = options;
  const encode: EncodeOptions = { format: formatOf(options), dtype, slice, f6Order };
  const written: WrittenFile[] = [];
  for (const tensor of tensors) {
    const source = checkpoint.sources[checkpoint.table.data.fileOf[tensor.id] ?? checkpoint.sources.length];
    if (source === undefined) {
      throw new LoupeError('internal', 'the tensor has no source');
    }
    const row = oneRow(checkpoint.table, tensor.id);
    const job = { row, options: encode, path: resolve(options.output), overwrite: force === true };
    const file = await untilInterrupted((signal) =>
      exportTensor(source, job, { onBytes: () => undefined, isCancelled: () => signal.aborted }),
    );
    const lost = file.precision === undefined ? undefined : precisionNote(file.precision);
    for (const note of [encodeTensor(tensor, encode).note, lost].filter((text) => text !== undefined)) {
      output.note(`note: tensor "${tensor.name}": ${note}`);
    }
    written.push(file);
  }
  return written;
};

const fileJson = ({ name, path, bytes, precision }: WrittenFile): JsonInput => ({
  name,
  path,
  bytes,
  precision: precision && { ...precision },
});

export const exportCommand: LoupeCommand = {
  register: (program, run) => {
    program
      .command('export')
      .description('write a tensor to a file, or all that match --include into a folder')
      .argument('<file>')
      .argument('[name]', 'name of a tensor, or #ID')
      .requiredOption('-o, --output <path>', 'the file to write, or the folder with --include')
      .addOption(new Option('--format <format>', 'f32 unless the output is named otherwise').choices(EXPORT_FORMATS))
      .addOption(new Option('--dtype <dtype>', 'keep the dtype or convert to float32').choices(['native', 'f32']))
      .option('--slice <slice>', 'start:stop:step per dimension, such as "0,:,::2"')
      .option('--include <glob>', 'every tensor whose name matches')
      .addOption(new Option('--exclude <glob>', 'with --include: but not these; repeatable').argParser(repeated))
      .option('--force', 'replace files that are there already')
      .addOption(f6OrderOption())
      .option('--json', 'print JSON')
      .action((file: string, name: string | undefined, options: Options) =>
        run(options.json, (output) =>
          withCheckpoint(file, output, async (checkpoint) => {
            if ((name === undefined) === (options.include === undefined)) {
              throw new LoupeError('usage', 'name one tensor, or give --include');
            }
            if (options.exclude !== undefined && options.include === undefined) {
              throw new LoupeError('usage', '--exclude goes with --include');
            }
            const written =
              name === undefined
                ? await writeMany(checkpoint, options.include ?? '', options, output)
                : await writeOne(checkpoint, name, options, output);
            if (output.json) {
              output.value({ written: written.map(fileJson) });
            } else {
              for (const { name: own, path, bytes } of written) {
                output.line(escapeText(`${own} -> ${path} (${bytes} bytes)`));
              }
            }
            return EXIT.done;
          }),
        ),
      );
  },
};
