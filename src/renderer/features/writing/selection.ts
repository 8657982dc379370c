import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { compileGlob, escapeGlob } from '../../../shared/name-glob.ts';

/** Patterns out of a text field, one a line. */
export const patternsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A glob for every tensor below a folder of the tree. */
export const folderPattern = (path: string): string => `${escapeGlob(path)}.*`;

/** What some patterns select. */
export interface Selection {
  readonly tensors: number;
  /** Bytes of their data as stored. */
  readonly bytes: number;
  /** Those of them that cannot be written: absent or damaged. */
  readonly refused: readonly TensorRow[];
}

/** Counts the rows whose names match any of `include` (all when it is empty) and none of `exclude`, as the service does. */
export const selectRows = (
  rows: readonly TensorRow[],
  include: readonly string[],
  exclude: readonly string[],
): Selection => {
  const wanted = include.map((pattern) => compileGlob(pattern));
  const unwanted = exclude.map((pattern) => compileGlob(pattern));
  let tensors = 0;
  let bytes = 0;
  const refused: TensorRow[] = [];
  for (const row of rows) {
    const { name } = row;
    if ((wanted.length > 0 && !wanted.some((matches) => matches(name))) || unwanted.some((matches) => matches(name))) {
      continue;
    }
    tensors += 1;
    bytes += row.bytes ?? 0;
    if (!row.readable) {
      refused.push(row);
    }
  }
  return { tensors, bytes, refused };
};
