import { mkdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { Option } from 'commander';
import type { Checkpoint } from '../../core/checkpoint.ts';
import type { Tensor } from '../../core/tensor/tensor.ts';
import { oneRow } from '../../core/tensor/tensor-table.ts';
import { type EncodeOptions, EXPORT_EXTENSIONS, encodeTensor } from '../../core/writing/encode-tensor.ts';
import { UniqueFileNames } from '../../core/writing/file-names.ts';
import { writeAtomically } from '../../node/writing/atomic-file.ts';
import { exportTensor } from '../../node/writing/export-tensor.ts';
import { EXPORT_FORMATS, type ExportFormat, type WrittenFile } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { compileGlob } from '../../shared/name-glob.ts';
import { strictJson } from '../../shared/strict-json.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { requireSome, tensorsNamed, withCheckpoint } from '../open-for-command.ts';
import { f6OrderOption } from '../options.ts';
import type { Output } from '../output.ts';

interface Options {
  readonly output: string;
  readonly format?: ExportFormat;
  readonly dtype?: 'native' | 'f32';
  readonly slice?: string;
  readonly include?: string;
  readonly force?: boolean;
  readonly f6Order?: 'lsb' | 'msb';
  readonly json?: boolean;
}

/** The format asked for, else the one the file's extension names, else f32. */
const formatOf = ({ format, output }: Options): ExportFormat => {
  const extension = extname(output).slice(1).toLowerCase();
  return format ?? EXPORT_FORMATS.find((known) => EXPORT_EXTENSIONS[known] === extension) ?? 'f32';
};

const write = async (
  checkpoint: Checkpoint,
  tensor: Tensor,
  path: string,
  options: EncodeOptions,
  overwrite: boolean,
  output: Output,
): Promise<WrittenFile> => {
  const { note } = encodeTensor(tensor, options);
  if (note !== undefined) {
    output.note(`note: tensor "${tensor.name}": ${note}`);
  }
  const source = checkpoint.sources[checkpoint.table.data.fileOf[tensor.id] ?? 0];
  if (source === undefined) {
    throw new LoupeError('internal', 'the tensor has no source');
  }
  const row = oneRow(checkpoint.table, tensor.id);
  const watch = { onBytes: () => undefined, isCancelled: () => false };
  return exportTensor(source, { row, options, path, overwrite }, watch);
};

/** Writes what matches into a folder, each under a safe file name, and a manifest that maps the names back. */
const writeMany = async (
  checkpoint: Checkpoint,
  include: string,
  options: Options,
  output: Output,
): Promise<WrittenFile[]> => {
  const matches = compileGlob(include);
  const tensors = [...checkpoint.tensors()].filter(({ name }) => matches(name));
  requireSome(tensors, `"${include}"`);
  const folder = resolve(options.output);
  await mkdir(folder, { recursive: true });
  const names = new UniqueFileNames();
  const format = options.format ?? 'f32';
  const overwrite = options.force === true;
  const written: WrittenFile[] = [];
  for (const tensor of tensors) {
    const path = join(folder, `${names.take(tensor.name)}.${EXPORT_EXTENSIONS[format]}`);
    const encode: EncodeOptions = { format, dtype: options.dtype, slice: options.slice, f6Order: options.f6Order };
    written.push(await write(checkpoint, tensor, path, encode, overwrite, output));
  }
  const manifest = written.map(({ name, path, bytes }) => ({ name, file: path.slice(folder.length + 1), bytes }));
  await writeAtomically(join(folder, 'manifest.json'), { overwrite }, (target) =>
    target.write(new TextEncoder().encode(`${strictJson({ tensors: manifest })}\n`)),
  );
  return written;
};

const writeOne = async (
  checkpoint: Checkpoint,
  name: string,
  options: Options,
  output: Output,
): Promise<WrittenFile[]> => {
  const tensors = tensorsNamed(checkpoint, [name]);
  const { dtype, slice, f6Order, force } = options;
  const encode: EncodeOptions = { format: formatOf(options), dtype, slice, f6Order };
  const path = resolve(options.output);
  return Promise.all(tensors.map((tensor) => write(checkpoint, tensor, path, encode, force === true, output)));
};

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
      .option('--force', 'replace files that are there already')
      .addOption(f6OrderOption())
      .option('--json', 'print JSON')
      .action((file: string, name: string | undefined, options: Options) =>
        run(options.json, (output) =>
          withCheckpoint(file, output, async (checkpoint) => {
            if ((name === undefined) === (options.include === undefined)) {
              throw new LoupeError('usage', 'name one tensor, or give --include');
            }
            const written =
              name === undefined
                ? await writeMany(checkpoint, options.include ?? '', options, output)
                : await writeOne(checkpoint, name, options, output);
            if (output.json) {
              output.value({ written: written.map(({ name: own, path, bytes }) => ({ name: own, path, bytes })) });
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
