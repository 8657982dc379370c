import { join, resolve } from 'node:path';
import { AlternatingBuffers } from '../../core/bytes/alternating-buffers.ts';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { TensorLookupError } from '../../core/errors.ts';
import { quoteName } from '../../core/quote-name.ts';
import { Tensor } from '../../core/tensor/tensor.ts';
import { type EncodeOptions, EXPORT_EXTENSIONS, encodeTensor } from '../../core/writing/encode-tensor.ts';
import { UniqueFileNames } from '../../core/writing/file-names.ts';
import { precisionNote } from '../../core/writing/precision.ts';
import { selectedNames } from '../../core/writing/selected-names.ts';
import type { WrittenFile } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { strictJson } from '../../shared/strict-json.ts';
import { type FileToWrite, withFolder, writeFilesAtomically } from './atomic-file.ts';
import { StreamedFiles } from './streamed-source.ts';
import { writeAhead } from './write-ahead.ts';
import type { WriteJob } from './write-job.ts';

/** Name of the file that maps file names back to tensors. */
export const MANIFEST_NAME = 'manifest.json';

/** Which tensors are exported, how, and where to. */
export interface ExportManyOptions extends EncodeOptions {
  /** Glob (see `compileGlob`) that the names match. */
  readonly include: string;
  /** Globs that the names must not match. */
  readonly exclude?: readonly string[] | undefined;
  /** Made where it is missing. */
  readonly folder: string;
  /** Replace files that are there already. */
  readonly overwrite?: boolean | undefined;
}

/** What an export of many wrote. */
export interface ExportedMany {
  /** A file a tensor, in the order of the checkpoint. */
  readonly written: readonly WrittenFile[];
  /** Absolute path of the manifest. */
  readonly manifest: string;
  /** What whoever asked should know, a sentence each. */
  readonly notes: readonly string[];
}

interface Item {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  /** Bytes of the file, or a guess. */
  readonly size: number;
  readonly note: string | undefined;
}

/** Notes of one kind become one sentence with the first names. */
const MOST_NAMED = 3;

const noteOf = (text: string, names: readonly string[]): string => {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).map(quoteName).join(', ')}${more}: ${text}`;
};

const notesOf = (items: readonly Item[], written: readonly WrittenFile[]): string[] => {
  const byText = new Map<string, string[]>();
  const add = (text: string | undefined, name: string): void => {
    if (text !== undefined) {
      const names = byText.get(text);
      if (names === undefined) {
        byText.set(text, [name]);
      } else {
        names.push(name);
      }
    }
  };
  for (const { note, name } of items) {
    add(note, name);
  }
  for (const { precision, name } of written) {
    add(precision === undefined ? undefined : precisionNote(precision), name);
  }
  return Array.from(byText, ([text, names]) => noteOf(text, names));
};

/** Everything that can be refused is refused here, before anything is written. */
const planItems = (checkpoint: Checkpoint, options: ExportManyOptions, folder: string): Item[] => {
  const { table } = checkpoint;
  const wanted = selectedNames({ include: [options.include], exclude: options.exclude });
  const names = new UniqueFileNames();
  const items: Item[] = [];
  for (let id = 0; id < table.length; id += 1) {
    const name = table.name(id);
    if (wanted(name)) {
      const { bytes, note } = encodeTensor(checkpoint.tensor(id), options);
      const path = join(folder, `${names.take(name)}.${EXPORT_EXTENSIONS[options.format]}`);
      items.push({ id, name, path, size: bytes ?? table.row(id).bytes ?? 0, note });
    }
  }
  if (items.length === 0) {
    const except = (options.exclude?.length ?? 0) > 0 ? ' and is not excluded' : '';
    throw new TensorLookupError('no-such-tensor', `no tensor matches "${options.include}"${except}`);
  }
  return items;
};

/**
 * Exports every tensor whose name matches into a folder, each as a file under a safe name, and a manifest that maps the
 * names back. Nothing is written outside the folder or through a link. All files appear together, the manifest last, or none
 * does. Runs in the calling thread in small steps and in bounded memory.
 *
 * @throws CancelledError; TensorLookupError `no-such-tensor`; UnreadableTensorError, SliceError; LoupeError
 *   `unsupported-export`, `file-exists`, `write-failed`; FileChangedError.
 */
export const exportMany = async ({
  checkpoint,
  options,
  signal,
  onProgress,
}: WriteJob<ExportManyOptions>): Promise<ExportedMany> => {
  const { table, sources } = checkpoint;
  const folder = resolve(options.folder);
  const items = planItems(checkpoint, options, folder);
  const total = items.reduce((sum, { size }) => sum + size, 0);
  const reading = new StreamedFiles(sources);
  const memory = new AlternatingBuffers();
  const written: WrittenFile[] = [];
  let done = 0;
  const files: FileToWrite[] = items.map(({ id, name, path }) => ({
    path,
    fill: async (target) => {
      const source = await reading.of(table.data.fileOf[id] ?? sources.length);
      if (source === undefined) {
        throw new LoupeError('internal', 'the tensor has no source');
      }
      const encoded = encodeTensor(new Tensor(table, id, source), options);
      const before = done;
      await writeAhead(encoded.chunks(memory), async (chunk) => {
        await target.write(chunk);
        done += chunk.byteLength;
        onProgress?.(done, Math.max(total, done));
      });
      const precision = encoded.precision();
      written.push({ name, path, bytes: done - before, ...(precision === undefined ? {} : { precision }) });
    },
  }));
  const manifest = join(folder, MANIFEST_NAME);
  files.push({
    path: manifest,
    fill: (target) => {
      const tensors = written.map((file, index) => ({
        name: file.name,
        file: file.path.slice(folder.length + 1),
        bytes: file.bytes,
        dtype: table.dtype(items[index]?.id ?? 0),
        shape: table.shape(items[index]?.id ?? 0),
      }));
      return target.write(new TextEncoder().encode(`${strictJson({ tensors })}\n`));
    },
  });
  const { overwrite } = options;
  try {
    await withFolder(folder, () => writeFilesAtomically(files, { overwrite, signal, what: 'the export' }));
  } finally {
    await reading.close();
  }
  return { written, manifest, notes: notesOf(items, written) };
};
