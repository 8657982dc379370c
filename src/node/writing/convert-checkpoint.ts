import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readInto } from '../../core/bytes/checked-read.ts';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { UnreadableTensorError } from '../../core/errors.ts';
import { Tensor } from '../../core/tensor/tensor.ts';
import { PIECE_BYTES } from '../../core/writing/exact-chunks.ts';
import { type ConversionOptions, type ConversionPlan, planConversion } from '../../core/writing/plan-conversion.ts';
import { safetensorsChunks } from '../../core/writing/plan-safetensors.ts';
import { INDEX_NAME, shardNames } from '../../core/writing/shard-plan.ts';
import type { WrittenFile } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { type AtomicOptions, type FileToWrite, withFolder, writeFilesAtomically } from './atomic-file.ts';
import { StreamedFiles } from './streamed-source.ts';
import { ignoreFault } from './system-error.ts';
import type { WriteJob } from './write-job.ts';

/** How a checkpoint is converted, and where to. */
export interface ConvertOptions extends ConversionOptions {
  /**
   * With `maxShardBytes` a folder, made where it is missing. Without, a file, or a folder that is there already, in which
   * the file is called `model.safetensors`.
   */
  readonly output: string;
  /** Replace files that are there already. */
  readonly overwrite?: boolean | undefined;
}

/** What a conversion wrote. */
export interface Converted {
  /** The safetensors files; `name` is the base name. */
  readonly written: readonly WrittenFile[];
  /** Absolute path of the index; undefined when there is one file only. */
  readonly index: string | undefined;
  /** What whoever asked should know, a sentence each. */
  readonly notes: readonly string[];
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(ignoreFault))?.isDirectory() === true;

/** Where each file of the plan goes. */
const pathsOf = async ({ files }: ConversionPlan, { output, maxShardBytes }: ConvertOptions): Promise<string[]> => {
  const absolute = resolve(output);
  if (maxShardBytes === undefined && !(await isFolder(absolute))) {
    return [absolute];
  }
  if (maxShardBytes !== undefined && /\.safetensors$/i.test(absolute) && !(await isFolder(absolute))) {
    throw new LoupeError('usage', `${output}: shards go into a folder, so name one as the output`, { output });
  }
  return files.map(({ name }) => join(absolute, name));
};

/** Shards, an index or a single file of another conversion beside the new ones, which a loader could mistake for theirs. */
const strayNotes = async (folder: string, written: readonly string[]): Promise<string[]> => {
  const ours = new Set(written.map((path) => basename(path)));
  if (![...ours].some((name) => name === INDEX_NAME || name === shardNames(1)[0])) {
    return [];
  }
  const names = await readdir(folder).catch((): string[] => []);
  const strays = names.filter(
    (name) => !ours.has(name) && (name === INDEX_NAME || /^model(-\d{5,6}-of-\d{5,6})?\.safetensors$/.test(name)),
  );
  return strays.length === 0
    ? []
    : [
        `the folder also holds ${strays.slice(0, 3).join(', ')}${strays.length > 3 ? ', …' : ''} of another model: loaders may take the wrong one`,
      ];
};

/** What the pieces of all tensors are read with, one after the other. */
interface Reading {
  readonly files: StreamedFiles;
  readonly buffer: Uint8Array;
}

/** A tensor's bytes in pieces that are good until the next one is asked for. */
async function* tensorPieces({ table, sources }: Checkpoint, id: number, reading: Reading): AsyncGenerator<Uint8Array> {
  const [begin, end] = table.range(id) ?? [0, 0];
  const source = await reading.files.of(table.data.fileOf[id] ?? sources.length);
  if (source === undefined || !table.isPresent(id)) {
    throw new UnreadableTensorError(table.name(id), table.problem(id) ?? 'its file is not open');
  }
  if (table.strided(id) !== undefined) {
    yield* new Tensor(table, id, source).rawPieces(PIECE_BYTES);
    return;
  }
  for (let at = begin; at < end; at += reading.buffer.byteLength) {
    const piece = reading.buffer.subarray(0, Math.min(reading.buffer.byteLength, end - at));
    await readInto(source, at, piece);
    yield piece;
  }
}

/**
 * Converts a checkpoint to safetensors: filters it, spreads it over shards or joins it into one file; every tensor keeps its
 * dtype and its bytes. Runs in the calling thread in steps of at most 1 MiB and holds no more than a few of them. All files
 * appear together, the index last, or none does.
 *
 * @throws CancelledError; LoupeError `usage`, `file-exists`, `write-failed` and as {@link planConversion};
 *   FileChangedError.
 */
export const convertCheckpoint = async ({
  checkpoint,
  options,
  signal,
  onProgress,
}: WriteJob<ConvertOptions>): Promise<Converted> => {
  const plan = planConversion(checkpoint, options);
  const paths = await pathsOf(plan, options);
  const folder = dirname(paths[0] ?? '');
  const reading: Reading = { files: new StreamedFiles(checkpoint.sources), buffer: new Uint8Array(PIECE_BYTES) };
  let done = 0;
  const files: FileToWrite[] = plan.files.map((file, index) => ({
    path: paths[index] ?? '',
    fill: async (target) => {
      const chunks = safetensorsChunks(file.plan, ({ id }) => tensorPieces(checkpoint, id, reading));
      for await (const chunk of chunks) {
        await target.write(chunk);
        done += chunk.byteLength;
        onProgress?.(done, plan.bytes);
      }
    },
  }));
  const { index } = plan;
  const indexPath = index === undefined ? undefined : join(folder, index.name);
  if (index !== undefined && indexPath !== undefined) {
    files.push({ path: indexPath, fill: (target) => target.write(new TextEncoder().encode(index.text)) });
  }
  const atomic: AtomicOptions = { overwrite: options.overwrite, signal, what: 'the conversion' };
  const write = (): Promise<number[]> => writeFilesAtomically(files, atomic);
  const sizes = await (options.maxShardBytes === undefined ? write() : withFolder(folder, write)).finally(() =>
    reading.files.close(),
  );
  return {
    written: plan.files.map((file, at) => ({
      name: basename(paths[at] ?? ''),
      path: paths[at] ?? '',
      bytes: sizes[at] ?? 0,
      tensors: file.plan.order.length,
    })),
    index: indexPath,
    notes: [
      ...plan.notes,
      ...(await strayNotes(
        folder,
        files.map(({ path }) => path),
      )),
    ],
  };
};
