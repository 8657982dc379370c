import type { Params } from '../../../shared/api.ts';
import { parseBytes } from '../../../shared/parse-bytes.ts';
import { changedEntries, draftProblem, type MetadataDraft } from './metadata-draft.ts';
import { baseName, folderOf, joinPath } from './output-paths.ts';
import { patternsOf } from './selection.ts';

/** What is filled in so far. */
export interface ConvertDraft {
  /** Globs, one a line. */
  readonly include: string;
  readonly exclude: string;
  readonly sharded: boolean;
  /** Most bytes of a shard, as typed. */
  readonly size: string;
  readonly metadata: readonly MetadataDraft[];
  /** The file, or with shards the folder. */
  readonly output: string;
  /** Path of which the system has asked whether a file there may be replaced. */
  readonly confirmed: string | undefined;
}

/** Size of a shard that is offered first, as the reference libraries have it. */
export const DEFAULT_SIZE = '5GB';

/** Why it cannot be converted yet; undefined when it can. */
export const convertProblem = (draft: ConvertDraft, tensors: number): string | undefined => {
  if (tensors === 0) {
    return 'No tensor is left';
  }
  if (draft.sharded && parseBytes(draft.size) === undefined) {
    return 'The size of a shard is not valid';
  }
  return (
    draftProblem(draft.metadata) ??
    (draft.output.trim() === '' ? (draft.sharded ? 'Choose a folder' : 'Choose a file') : undefined)
  );
};

/** What the service is asked for. */
export const convertParams = (draft: ConvertDraft): Omit<Params<'convert'>, 'sessionId'> => {
  const include = [...patternsOf(draft.include)];
  const exclude = [...patternsOf(draft.exclude)];
  const metadata = changedEntries(draft.metadata);
  const maxShardBytes = draft.sharded ? parseBytes(draft.size) : undefined;
  const output = draft.output.trim();
  return {
    output,
    ...(include.length === 0 ? {} : { include }),
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(maxShardBytes === undefined ? {} : { maxShardBytes }),
    ...(metadata.length === 0 ? {} : { metadata }),
    ...(draft.confirmed === output && !draft.sharded ? { overwrite: true } : {}),
  };
};

/** The output in another folder: a file keeps its name. */
export const inFolder = ({ sharded, output }: ConvertDraft, folder: string): string =>
  sharded ? folder : joinPath(folder, baseName(output.trim()) || 'model.safetensors');

/** The output when it becomes a folder of shards, or one file again. */
export const reshaped = ({ output }: ConvertDraft, sharded: boolean): string => {
  const path = output.trim();
  if (path === '') {
    return path;
  }
  return sharded ? path.replace(/\.safetensors$/i, '') : /\.safetensors$/i.test(path) ? path : `${path}.safetensors`;
};

/** The folder that choosing an output begins with. */
export const startFolder = ({ output }: ConvertDraft): string | undefined => folderOf(output.trim()) || undefined;
