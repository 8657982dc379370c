import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OpenFileError } from '../../core/errors.ts';
import { indexedExtension, type NumberedShard, numberedShard } from '../../core/formats/shards/shard-names.ts';
import { openFileError } from '../sources/regular-file.ts';

/** What a path stands for: one file, a model listed by an index, or numbered files without one. */
export type ModelFiles =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'index'; readonly folder: string; readonly index: string }
  | {
      readonly kind: 'numbered';
      readonly folder: string;
      readonly set: NumberedShard;
      /** Numbers of the shards that are there, ascending. */
      readonly present: readonly number[];
    };

/** Index names in the order in which one of several is taken; others follow by name. */
const PREFERRED_INDEXES = [
  'model.safetensors.index.json',
  'diffusion_pytorch_model.safetensors.index.json',
  'pytorch_model.bin.index.json',
];
/** Files that a folder is searched for: safetensors, and where there are none, PyTorch's. */
const KINDS: readonly {
  readonly weights: RegExp;
  /** Single files in the order in which one of several is taken (FORMATS.md 1.9). */
  readonly preferred: readonly string[];
}[] = [
  {
    weights: /\.(safetensors|sft)$/i,
    preferred: [
      'model.safetensors',
      'diffusion_pytorch_model.safetensors',
      'consolidated.safetensors',
      'adapter_model.safetensors',
    ],
  },
  {
    // What trainers leave beside the weights is none of them.
    weights: /^(?!(training_args|optimizer|scheduler|scaler|random_states_.*|rng_state.*)\.).*\.(bin|pt|pth|ckpt)$/i,
    preferred: ['pytorch_model.bin', 'diffusion_pytorch_model.bin', 'consolidated.00.pth', 'adapter_model.bin'],
  },
];

const preferred = (names: readonly string[], order: readonly string[]): string | undefined =>
  order.find((name) => names.includes(name)) ?? [...names].sort()[0];

/**
 * Names of the plain files (or links) in a folder; hidden ones are left out.
 *
 * @throws OpenFileError
 */
export const fileNames = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw openFileError(folder, cause);
  });
  return entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name);
};

type NumberedFiles = Extract<ModelFiles, { kind: 'numbered' }>;

const numberedSet = (folder: string, set: NumberedShard, names: readonly string[]): NumberedFiles => {
  const present = names.flatMap((name) => {
    const shard = numberedShard(name);
    return shard !== undefined && set.nameOf(shard.number) === name ? [shard.number] : [];
  });
  return { kind: 'numbered', folder, set, present: present.sort((a, b) => a - b) };
};

/** Indexes that may list shards of this set: of the same extension. */
const indexesFor = (names: readonly string[], extension: string): string[] =>
  names.filter((name) => indexedExtension(name) === extension);

const ofFolder = async (folder: string): Promise<ModelFiles> => {
  const names = await fileNames(folder);
  const index = preferred(
    names.filter((name) => indexedExtension(name) !== undefined),
    PREFERRED_INDEXES,
  );
  if (index !== undefined) {
    return { kind: 'index', folder, index };
  }
  for (const { weights, preferred: order } of KINDS) {
    const found = names.filter((name) => weights.test(name));
    const singles = found.filter((name) => numberedShard(name) === undefined);
    const single = order.find((name) => singles.includes(name)) ?? (singles.length === 1 ? singles[0] : undefined);
    const [firstShard] = found.flatMap((name) => numberedShard(name) ?? []);
    if (singles.length === 0 && firstShard !== undefined) {
      return numberedSet(folder, firstShard, names);
    }
    if (single !== undefined) {
      return { kind: 'file', path: join(folder, single) };
    }
    if (singles.length > 0) {
      const message = `${folder}: the folder holds ${singles.length} weight files and no index: name one of them`;
      throw new OpenFileError('not-a-file', message, { path: folder });
    }
  }
  const message = `${folder}: the folder holds no safetensors file, no PyTorch file and no shard index`;
  throw new OpenFileError('not-a-file', message, { path: folder });
};

const ofShard = async (path: string, shard: NumberedShard): Promise<ModelFiles> => {
  const folder = dirname(path);
  const names = await fileNames(folder);
  const index = preferred(indexesFor(names, shard.extension), PREFERRED_INDEXES);
  const set = numberedSet(folder, shard, names);
  if (index !== undefined) {
    return { kind: 'index', folder, index };
  }
  // A shard alone in its folder is a file like any other: it was taken out of its set on purpose.
  return set.present.length > 1 ? set : { kind: 'file', path };
};

/**
 * Finds out what a path stands for: a folder, an index, a shard of a set, or a file by itself.
 *
 * @throws OpenFileError `not-found`, `not-permitted`, `not-a-file`.
 */
export const modelFiles = async (path: string): Promise<ModelFiles> => {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (cause) {
    throw openFileError(path, cause);
  }
  if (isFolder) {
    return ofFolder(path);
  }
  const name = basename(path);
  if (indexedExtension(name) !== undefined) {
    return { kind: 'index', folder: dirname(path), index: name };
  }
  const shard = numberedShard(name);
  return shard === undefined ? { kind: 'file', path } : ofShard(path, shard);
};
