import type { ShardEntry } from '../../../shared/checkpoint-types.ts';

/** One shard as it is listed. */
export interface ShardLine {
  readonly entry: ShardEntry;
  /** Its path below the folder that all shards share. */
  readonly name: string;
  /** Its tensors are the rows with ids from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  /** Part of the largest shard's bytes, from 0 to 1. */
  readonly share: number;
}

/** A shard the table is narrowed to: its tensors are the rows with ids from `start` to before `end`. */
export type ShardChoice = Pick<ShardLine, 'name' | 'start' | 'end'> & { readonly place: number };

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** The longest folder that holds all of the paths, with its separator. */
const commonFolder = (paths: readonly string[]): string => {
  let common = folderOf(paths[0] ?? '');
  for (const path of paths) {
    while (!path.startsWith(common)) {
      common = folderOf(common.slice(0, -1));
    }
  }
  return common;
};

/** The shards in order. Tensors are numbered shard by shard, so counts alone tell whose they are. */
export const shardLines = (shards: readonly ShardEntry[]): readonly ShardLine[] => {
  const folder = commonFolder(shards.flatMap(({ path, present }) => (present ? [path] : [])));
  const largest = shards.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  let start = 0;
  return shards.map((entry): ShardLine => {
    const { path, present, bytes, tensors } = entry;
    const first = start;
    start += tensors;
    return {
      entry,
      // The name of a shard that is not there is the index's, and no path.
      name: present ? path.slice(folder.length) : path,
      start: first,
      end: start,
      share: largest === 0 ? 0 : bytes / largest,
    };
  });
};

/** How many shards are not there. */
export const missingShards = (shards: readonly ShardEntry[]): number =>
  shards.reduce((missing, { present }) => missing + (present ? 0 : 1), 0);

/** A shard's file name in short: of a numbered one the numbers, `00002-of-00163`. */
export const shortShardName = (name: string): string =>
  /(?:^|[-_.])(\d{1,6}-of-\d{1,6})\.[A-Za-z]+$/.exec(name)?.[1] ?? name;
