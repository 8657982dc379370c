import { distributionFromJson } from '../core/distribution/distribution-from-json.ts';
import { distributionFromData } from '../core/distribution/new-distribution.ts';
import { FolderFold, type FolderStats } from '../core/scan/folder-fold.ts';
import { folderTree } from '../core/scan/folder-tree.ts';
import { LoupeError } from '../shared/errors.ts';
import { strictJson } from '../shared/strict-json.ts';
import { statsJson } from '../shared/tensor-forms.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import { type MergeEntry, readStatsPart } from './read-stats-part.ts';
import { entryText, StatsPrinter } from './stats-output.ts';

const DEFAULT_BINS = 128;

export interface MergeOptions {
  /** The figures of folders and of the whole model too. */
  readonly folders?: boolean;
  /** Keep the states. */
  readonly state?: boolean;
}

const keyOf = ({ file, stats }: MergeEntry): string => `${file}\u0000${stats.name}`;

/**
 * All entries, in the order in which one machine lists the whole model: files by name, and each file's tensors as they came.
 *
 * @throws LoupeError `usage` when two parts hold the same tensor of the same file with different numbers
 */
const unite = (parts: readonly { readonly path: string; readonly entries: readonly MergeEntry[] }[]): MergeEntry[] => {
  const byFile = new Map<string, MergeEntry[]>();
  const seen = new Map<string, { readonly path: string; readonly text: string }>();
  for (const { path, entries } of parts) {
    const own = new Map<string, { readonly path: string; readonly text: string }>();
    for (const entry of entries) {
      const earlier = seen.get(keyOf(entry));
      const text = strictJson(entry.json);
      if (earlier !== undefined && earlier.text !== text) {
        throw new LoupeError(
          'usage',
          `${earlier.path} and ${path} both hold tensor "${entry.stats.name}" of ${entry.file}, with different numbers`,
        );
      }
      // One file may hold a name twice, when it is damaged; two parts that hold the same are one.
      if (earlier === undefined) {
        own.set(keyOf(entry), { path, text });
        const list = byFile.get(entry.file) ?? [];
        list.push(entry);
        byFile.set(entry.file, list);
      }
    }
    for (const [key, value] of own) {
      seen.set(key, value);
    }
  }
  return [...byFile.keys()].sort().flatMap((file) => byFile.get(file) ?? []);
};

/** Bins of the histograms, which all parts must have alike for their folders to have as many. @throws LoupeError `usage` */
const binsOf = (entries: readonly MergeEntry[]): number => {
  const bins = new Set(entries.flatMap(({ stats }) => stats.histogram?.counts.length ?? []));
  if (bins.size > 1) {
    throw new LoupeError('usage', `the parts were made with different --bins: ${[...bins].join(', ')}`);
  }
  return [...bins][0] ?? DEFAULT_BINS;
};

/**
 * Sums up folders from the states of all tensors. A state must give the numbers that stand beside it.
 *
 * @throws LoupeError `usage` for an entry without a state, `bad-state`
 */
const foldersOf = (entries: readonly MergeEntry[]): FolderStats[] => {
  const bins = binsOf(entries);
  const folders: FolderStats[] = [];
  const tree = folderTree(entries.length, (id) => entries[id]?.stats.name ?? '');
  const fold = new FolderFold(tree, bins, (stats) => folders.push(stats));
  entries.forEach(({ stats, state, file }, id) => {
    if (state === undefined) {
      throw new LoupeError('usage', `tensor "${stats.name}" of ${file} has no state: make the parts with --state`);
    }
    const data = distributionFromJson(state);
    if (
      strictJson(statsJson(distributionFromData(data).summarise(stats.name, bins))) !== strictJson(statsJson(stats))
    ) {
      throw new LoupeError('bad-state', `the state of tensor "${stats.name}" of ${file} does not give its numbers`);
    }
    fold.add(id, data);
  });
  return folders.sort((a, b) => a.folder - b.folder);
};

/**
 * Merges what `stats --all --json` printed of the parts of a model, and prints it.
 *
 * @param files paths of the parts
 * @throws OpenFileError; LoupeError `usage`, `bad-state`
 */
export const mergeParts = async (
  files: readonly string[],
  options: MergeOptions,
  output: Output,
): Promise<ExitCode> => {
  const { folders = false, state = false } = options;
  const parts: { readonly path: string; readonly entries: readonly MergeEntry[] }[] = [];
  for (const path of files) {
    parts.push({ path, entries: await readStatsPart(path) });
  }
  const entries = unite(parts);
  const summed = folders ? foldersOf(entries) : [];
  const printer = new StatsPrinter(output);
  for (const entry of entries) {
    if (!output.json) {
      output.line(entryText(entry.stats));
    } else if (state && entry.state === undefined) {
      throw new LoupeError('usage', `tensor "${entry.stats.name}" has no state to keep: make the parts with --state`);
    } else {
      await printer.json(state ? entry.json : { ...entry.json, state: undefined });
    }
  }
  for (const folder of summed) {
    await printer.folder(folder);
  }
  await printer.end();
  return EXIT.done;
};
