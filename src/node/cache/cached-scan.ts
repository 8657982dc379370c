import { z } from 'zod';
import type { DeadLines } from '../../core/audit/dead-lines.ts';
import type { TensorFacts } from '../../core/audit/tensor-facts.ts';
import { linearEdges } from '../../core/distribution/histogram.ts';
import { STATS_FORM, statsFromForm } from '../../core/scan/stats-form.ts';
import type { JsonInput } from '../../shared/strict-json.ts';
import { statsJson } from '../../shared/tensor-forms.ts';

/** What a whole scan of a checkpoint found out by reading its values; what follows from it is worked out anew. */
export interface CachedScan {
  /** Of every tensor that can be scanned, by id. */
  readonly facts: readonly TensorFacts[];
  /** SHA-256 of tensors that were compared, by id. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly deadLines: ReadonlyMap<number, DeadLines>;
  /** Its archive members were read through, and nothing was found. */
  readonly membersSound: boolean;
}

/** Changed whenever what is stored, or how it is worked out, changes: entries of other versions are not read. */
export const CACHE_VERSION = 1;

const id = z.int().nonnegative();
const tally = z.int().nonnegative();

const FACTS = z.strictObject({
  id,
  stats: z.record(z.string(), z.unknown()),
  /** Counts of the histogram; its edges follow from min and max. */
  bins: z.array(tally).max(1024).nullable(),
  bools: tally,
  low: tally.optional(),
  high: tally.optional(),
  nan: tally.optional(),
  infinity: tally.optional(),
});

const ENTRY = z.strictObject({
  version: z.literal(CACHE_VERSION),
  key: z.string(),
  facts: z.array(FACTS),
  hashes: z.array(z.tuple([id, z.string().regex(/^[0-9a-f]{64}$/)])),
  deadLines: z.array(
    z.tuple([id, z.strictObject({ rows: z.array(id), rowCount: tally, columns: z.array(id), columnCount: tally })]),
  ),
  membersSound: z.boolean(),
});

const factsJson = ({ tensorId, stats, boolOutOfRange, atLimit, first }: TensorFacts): JsonInput => {
  const { name: _name, histogram: _histogram, ...form } = statsJson(stats);
  return {
    id: tensorId,
    stats: form,
    bins: stats.histogram === undefined ? null : stats.histogram.counts,
    bools: boolOutOfRange,
    low: atLimit?.low,
    high: atLimit?.high,
    nan: first?.nan,
    infinity: first?.infinity,
  };
};

/** The form in which a scan is stored. @param key what it is stored under, repeated in it */
export const cachedScanJson = (key: string, { facts, hashes, deadLines, membersSound }: CachedScan): JsonInput => ({
  version: CACHE_VERSION,
  key,
  facts: facts.map(factsJson),
  hashes: [...hashes].map(([tensorId, hash]) => [tensorId, hash]),
  deadLines: [...deadLines].map(([tensorId, { rows, rowCount, columns, columnCount }]) => [
    tensorId,
    { rows, rowCount, columns, columnCount },
  ]),
  membersSound,
});

const factsOf = (form: z.infer<typeof FACTS>): TensorFacts => {
  const { bins, stats, nan, infinity, low, high } = form;
  const { min, max } = z.object({ min: z.unknown(), max: z.unknown() }).parse(stats);
  const histogram =
    bins === null ? null : { edges: Array.from(linearEdges(bins.length, Number(min), Number(max))), counts: bins };
  const parsed = STATS_FORM.parse({ ...stats, name: '', histogram });
  return {
    tensorId: form.id,
    stats: statsFromForm(parsed),
    boolOutOfRange: form.bools,
    atLimit: low === undefined || high === undefined ? undefined : { low, high },
    first:
      nan === undefined && infinity === undefined
        ? undefined
        : { ...(nan === undefined ? {} : { nan }), ...(infinity === undefined ? {} : { infinity }) },
  };
};

/**
 * Reads a stored scan. It may have been cut off, changed or written by another version: what is not exactly of the known
 * form, or is of another key, is none.
 */
export const parseCachedScan = (text: string, key: string): CachedScan | undefined => {
  try {
    const entry = ENTRY.parse(JSON.parse(text));
    return entry.key !== key
      ? undefined
      : {
          facts: entry.facts.map(factsOf),
          hashes: new Map(entry.hashes),
          deadLines: new Map(entry.deadLines),
          membersSound: entry.membersSound,
        };
  } catch {
    // JSON.parse and zod say in their own ways that it is no entry, and there is nobody to tell.
    return undefined;
  }
};
