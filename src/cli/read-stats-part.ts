import { z } from 'zod';
import { readBytes } from '../core/bytes/checked-read.ts';
import { STATS_FORM, statsFromForm } from '../core/scan/stats-form.ts';
import { openSource } from '../node/sources/open-source.ts';
import type { TensorStats } from '../shared/checkpoint-types.ts';
import { LoupeError } from '../shared/errors.ts';
import type { JsonInput } from '../shared/strict-json.ts';

/** A tensor of a part that is to be merged. */
export interface MergeEntry {
  readonly stats: TensorStats;
  readonly file: string;
  /** As it stands in the part, unchecked; undefined when the part was made without. */
  readonly state: unknown;
  /** The whole entry as it stands in the part. */
  readonly json: { readonly [field: string]: JsonInput };
}

/** Longest part read, in bytes: a text of V8's holds little more. */
const LONGEST_PART = 500_000_000;

/** A member that is looked at later or only printed again: JSON.parse gives nothing but plain data. */
const anything = z.custom<JsonInput>();

const ENTRY = STATS_FORM.extend({ file: z.string(), state: anything.optional() });
/** Figures of folders are made anew. */
const FOLDER = z.object({ folder: z.string().nullable(), tensors: z.int(), count: z.undefined() });

const textOf = async (path: string): Promise<string> => {
  const source = await openSource(path);
  try {
    if (source.size > LONGEST_PART) {
      throw new LoupeError('usage', `${path}: ${source.size} bytes are more than the ${LONGEST_PART} a part may have`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(source, 0, source.size));
  } catch (cause) {
    throw cause instanceof TypeError ? new LoupeError('usage', `${path}: it is not UTF-8`) : cause;
  } finally {
    source.close();
  }
};

const parsed = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LoupeError('usage', `${path}: it is not JSON (${cause instanceof Error ? cause.message : ''})`);
  }
};

/**
 * Reads what `stats --all --json` printed.
 *
 * @throws OpenFileError; LoupeError `usage` when it is anything else
 */
export const readStatsPart = async (path: string): Promise<MergeEntry[]> => {
  const value = parsed(path, await textOf(path));
  if (!Array.isArray(value)) {
    throw new LoupeError('usage', `${path}: it is not what "loupe stats --all --json" prints`);
  }
  return value.flatMap((item: unknown, at): MergeEntry[] => {
    if (FOLDER.safeParse(item).success) {
      return [];
    }
    const entry = ENTRY.safeParse(item);
    const json = z.record(z.string(), anything).safeParse(item);
    if (!entry.success || !json.success) {
      const [issue] = entry.error?.issues ?? [];
      const where = issue === undefined ? '' : `: ${issue.path.join('.')}: ${issue.message}`;
      throw new LoupeError('usage', `${path}: item ${at + 1} is no tensor of "loupe stats --all --json"${where}`);
    }
    const { file, state, ...form } = entry.data;
    return [{ stats: statsFromForm(form), file, state, json: json.data }];
  });
};
