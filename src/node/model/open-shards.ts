import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { readBytes } from '../../core/bytes/checked-read.ts';
import { Checkpoint, withInner } from '../../core/checkpoint.ts';
import { OpenFileError } from '../../core/errors.ts';
import type { ReadOptions } from '../../core/formats/read-options.ts';
import { readCheckpoint } from '../../core/formats/registry.ts';
import { assembleShards, type ShardPart } from '../../core/formats/shards/assemble.ts';
import { LONGEST_INDEX, NO_INDEX, parseIndex, type ShardIndex } from '../../core/formats/shards/parse-index.ts';
import { indexedExtension, numberedShard, shardNameProblem } from '../../core/formats/shards/shard-names.ts';
import { quoteName } from '../../core/quote-name.ts';
import { finding } from '../../shared/findings.ts';
import { forEachBounded } from '../scan/for-each-bounded.ts';
import type { FileSource } from '../sources/file-source.ts';
import { lazySource } from '../sources/lazy-source.ts';
import { openSource } from '../sources/open-source.ts';
import { absentSource } from './absent-source.ts';
import { fileNames, type ModelFiles } from './model-files.ts';

/** Headers read at the same time. */
const HEADERS_AT_ONCE = 8;

interface LoadedPart {
  readonly part: ShardPart;
  readonly source: FileSource | undefined;
}

const readIndex = async (path: string): Promise<ShardIndex> => {
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
  const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
  const inside = (base: string): boolean => {
    const way = relative(base, real);
    return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
  };
  const isSnapshot = dirname(root).endsWith(`${sep}snapshots`);
  return inside(root) || (isSnapshot && inside(join(dirname(dirname(root)), 'blobs')));
};

const loadPart = async (folder: string, name: string, extension: string, options: ReadOptions): Promise<LoadedPart> => {
  const unsafe = shardNameProblem(name, extension);
  if (unsafe !== undefined) {
    const message = `the index names the shard ${quoteName(name)}, which is not followed: ${unsafe}`;
    return { part: { name, content: undefined, problem: { code: 'shard-name-unsafe', message } }, source: undefined };
  }
  const path = join(folder, ...name.split('/'));
  let source: FileSource;
  try {
    source = await openSource(path);
  } catch (fault) {
    if (!(fault instanceof OpenFileError)) {
      throw fault;
    }
    const why = fault.code === 'not-found' ? 'is missing' : `cannot be opened (${fault.message})`;
    const problem = { code: 'shard-missing', message: `the shard ${quoteName(name)} ${why}` } as const;
    return { part: { name, content: undefined, problem }, source: undefined };
  }
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

const loadAll = async (
  folder: string,
  names: readonly string[],
  extension: string,
  options: ReadOptions,
): Promise<LoadedPart[]> => {
  const loaded = new Map<string, LoadedPart>();
  await forEachBounded(names, HEADERS_AT_ONCE, async (name) => {
    loaded.set(name, await loadPart(folder, name, extension, options));
  });
  return names.flatMap((name) => loaded.get(name) ?? []);
};

/**
 * Opens a sharded model as one checkpoint: all headers are read now, several at a time; a shard's file is opened again when
 * its values are first needed, and stays open. Hostile shard names are never looked up.
 *
 * @throws OpenFileError for the index itself; never for a shard, which becomes a finding.
 */
export const inspectShards = async (
  files: Exclude<ModelFiles, { kind: 'file' }>,
  options: ReadOptions,
): Promise<Checkpoint> => {
  const { folder } = files;
  const index = files.kind === 'index' ? await readIndex(join(folder, files.index)) : undefined;
  const label = files.kind === 'index' ? files.index : `${files.set.stem}.${files.set.extension}`;
  const extension = files.kind === 'index' ? (indexedExtension(files.index) ?? '') : files.set.extension;
  const names =
    files.kind === 'index'
      ? [...new Set(index?.weightMap.values())].sort()
      : Array.from({ length: files.set.total }, (_, at) => files.set.nameOf(at + 1));
  const loaded = await loadAll(folder, names, extension, options);
  const strays = files.kind === 'index' ? strayFiles(await fileNames(folder), new Set(names), extension, label) : [];
  const content = assembleShards({ label, index, parts: loaded.map(({ part }) => part), strays });
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
