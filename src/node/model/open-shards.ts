import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { readBytes } from '../../core/bytes/checked-read.ts';
import { Checkpoint, withInner } from '../../core/checkpoint.ts';
import type { ReadOptions } from '../../core/formats/read-options.ts';
import { readCheckpoint } from '../../core/formats/registry.ts';
import { assembleShards, type ShardPart } from '../../core/formats/shards/assemble.ts';
import { LONGEST_INDEX, NO_INDEX, parseIndex, type ShardIndex } from '../../core/formats/shards/parse-index.ts';
import { indexedExtension, numberedShard, shardNameProblem } from '../../core/formats/shards/shard-names.ts';
import { quoteName } from '../../core/quote-name.ts';
import { isLoupeError } from '../../shared/errors.ts';
import { type FindingCode, finding } from '../../shared/findings.ts';
import { formatInt } from '../../shared/format-number.ts';
import { forEachBounded } from '../scan/for-each-bounded.ts';
import type { FileSource } from '../sources/file-source.ts';
import { lazySource } from '../sources/lazy-source.ts';
import { openSource } from '../sources/open-source.ts';
import { openFileError } from '../sources/regular-file.ts';
import { absentSource } from './absent-source.ts';
import { fileNames, type ModelFiles } from './model-files.ts';
import { anyPath, type PathGuard } from './path-guard.ts';

/** Headers read at the same time. */
const HEADERS_AT_ONCE = 8;
/** The most shards of one model that are opened; real models have a few hundred. */
const MOST_SHARDS = 10_000;
/** The most missing shards of a numbered set that are listed one by one: the number comes out of a file's name. */
const MOST_MISSING = 100;

interface LoadedPart {
  readonly part: ShardPart;
  readonly source: FileSource | undefined;
}

const readIndex = async (path: string, guard: PathGuard): Promise<ShardIndex> => {
  await guard(path);
  const source = await openSource(path);
  try {
    if (source.size > LONGEST_INDEX) {
      const message = `the index has ${source.size} bytes; none that long is read`;
      return { ...NO_INDEX, findings: [finding('index-invalid', message, { file: source.name })] };
    }
    return parseIndex(await readBytes(source, 0, source.size), source.name);
  } finally {
    source.close();
  }
};

/**
 * Whether a shard's file really lies below the model's folder, or where the Hugging Face cache keeps it: a snapshot's links
 * lead to `../../blobs/` (FORMATS.md 1.9).
 */
const liesInside = async (folder: string, path: string): Promise<boolean> => {
  const [root, real] = await Promise.all([folder, path].map((place) => realpath(place))).catch((cause: unknown) => {
    throw openFileError(path, cause);
  });
  if (root === undefined || real === undefined) {
    return false;
  }
  const inside = (base: string): boolean => {
    const way = relative(base, real);
    return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
  };
  const isSnapshot = dirname(root).endsWith(`${sep}snapshots`);
  return inside(root) || (isSnapshot && inside(join(dirname(dirname(root)), 'blobs')));
};

const notLoaded = (name: string, code: FindingCode, why: string): LoadedPart => ({
  part: { name, content: undefined, problem: { code, message: `the shard ${quoteName(name)} ${why}` } },
  source: undefined,
});

/** A shard that cannot be had is a finding; the others are still read. */
const notReadable = (name: string, fault: unknown): LoadedPart => {
  if (!isLoupeError(fault)) {
    throw fault;
  }
  switch (fault.code) {
    case 'not-found':
      return notLoaded(name, 'shard-missing', 'is missing');
    case 'file-changed':
      return notLoaded(name, 'file-changed', `changed while it was read (${fault.message})`);
    default:
      return notLoaded(name, 'shard-missing', `cannot be read (${fault.message})`);
  }
};

/** How the shards of a model are read. */
interface LoadContext {
  readonly folder: string;
  readonly extension: string;
  readonly options: ReadOptions;
  readonly guard: PathGuard;
}

const loadPart = async (name: string, { folder, extension, options, guard }: LoadContext): Promise<LoadedPart> => {
  const unsafe = shardNameProblem(name, extension);
  if (unsafe !== undefined) {
    return notLoaded(name, 'shard-name-unsafe', `of the index is not followed: ${unsafe}`);
  }
  const path = join(folder, ...name.split('/'));
  try {
    await guard(path);
    const source = await openSource(path);
    try {
      const content = await readCheckpoint(source, options);
      if (!(await liesInside(folder, path))) {
        const message = `the shard ${quoteName(name)} is a link that leads out of the model's folder`;
        content.findings.add(finding('shard-outside-folder', message, { file: name }));
      }
      return { part: { name, content }, source };
    } finally {
      source.close();
    }
  } catch (fault) {
    return notReadable(name, fault);
  }
};

/** Weight files beside an index that it does not name, but for shards of another indexed variant. */
const strayFiles = (
  names: readonly string[],
  listed: ReadonlySet<string>,
  extension: string,
  label: string,
): string[] => {
  const otherVariants = names
    .filter((name) => name !== label && indexedExtension(name) === extension)
    .map((name) => /index\.([A-Za-z0-9_-]+)\.json$/.exec(name)?.[1])
    .flatMap((variant) => (variant === undefined ? [] : [`.${variant}`]));
  const ofVariant = (name: string): boolean =>
    otherVariants.some((variant) => numberedShard(name)?.stem.endsWith(variant) === true);
  return names.filter((name) => name.endsWith(`.${extension}`) && !listed.has(name) && !ofVariant(name)).sort();
};

/** Shards of a numbered set by number: those that are there, and the first of those that are not. */
const numberedNames = ({ set, present }: Extract<ModelFiles, { kind: 'numbered' }>) => {
  const there = new Set(present);
  const missing: number[] = [];
  for (let number = 1; number <= set.total && missing.length < MOST_MISSING; number += 1) {
    if (!there.has(number)) {
      missing.push(number);
    }
  }
  const named = [...present, ...missing].sort((a, b) => a - b).map((number) => set.nameOf(number));
  return { named, unnamed: set.total - present.length - missing.length };
};

const loadAll = async (names: readonly string[], context: LoadContext): Promise<LoadedPart[]> => {
  const loaded = new Map<string, LoadedPart>();
  await forEachBounded(names.slice(0, MOST_SHARDS), HEADERS_AT_ONCE, async (name) => {
    loaded.set(name, await loadPart(name, context));
  });
  const many = `is one of ${formatInt(names.length)}; only the first ${formatInt(MOST_SHARDS)} are opened`;
  return names.map((name) => loaded.get(name) ?? notLoaded(name, 'shard-missing', many));
};

/**
 * Opens a sharded model as one checkpoint: all headers are read now, several at a time; a shard's file is opened again when
 * its values are first needed, and stays open. Hostile shard names are never looked up.
 *
 * @throws OpenFileError, and what the guard throws, for the index itself; never for a shard, which becomes a finding.
 */
export const inspectShards = async (
  files: Exclude<ModelFiles, { kind: 'file' }>,
  options: ReadOptions,
  guard: PathGuard = anyPath,
): Promise<Checkpoint> => {
  const { folder } = files;
  const index = files.kind === 'index' ? await readIndex(join(folder, files.index), guard) : undefined;
  const label = files.kind === 'index' ? files.index : `${files.set.stem}.${files.set.extension}`;
  const extension = files.kind === 'index' ? (indexedExtension(files.index) ?? '') : files.set.extension;
  const { named: names, unnamed } =
    files.kind === 'index'
      ? { named: [...new Set(index?.weightMap.values())].sort(), unnamed: 0 }
      : numberedNames(files);
  const loaded = await loadAll(names, { folder, extension, options, guard });
  const strays = files.kind === 'index' ? strayFiles(await fileNames(folder), new Set(names), extension, label) : [];
  const content = assembleShards({ label, index, parts: loaded.map(({ part }) => part), unnamed, strays });
  const parts = loaded.flatMap(({ part, source }) => {
    if (source === undefined) {
      // A name that was not followed must not look like a path either.
      return [{ source: absentSource(part.name), label: { path: part.name, present: false } }];
    }
    const path = join(folder, ...part.name.split('/'));
    return part.content === undefined ? [] : withInner(part.content, lazySource(source), { path, present: true });
  });
  return new Checkpoint(
    content,
    parts.map(({ source }) => source),
    parts.map((part) => part.label),
  );
};
