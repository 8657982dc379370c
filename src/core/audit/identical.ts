import type { TensorStats } from '../../shared/checkpoint-types.ts';
import { type Finding, finding } from '../../shared/findings.ts';
import { formatBytes, formatInt } from '../../shared/format-number.ts';
import { dtypeInfo } from '../dtypes/dtype-table.ts';
import { quoteName } from '../quote-name.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';
import { isComputedBuffer, isTwoValued, type TensorFacts } from './tensor-facts.ts';
import { IDENTICAL_LEAST_VALUES } from './thresholds.ts';

/** Equal tensors have equal statistics, to the last bit. */
const signature = ({
  dtype,
  count,
  nan,
  posInf,
  negInf,
  zeros,
  negZeros,
  subnormals,
  min,
  max,
  mean,
  std,
  quantiles,
}: TensorStats): string =>
  [dtype, count, nan, posInf, negInf, zeros, negZeros, subnormals, min, max, mean, std, ...(quantiles ?? [])].join(' ');

/** Whether it would say something if another tensor held the same: masks, counters and computed buffers do all the time. */
const isTelling = ({ stats }: TensorFacts): boolean => {
  const info = dtypeInfo(stats.dtype);
  const isFloat = info?.kind === 'float' || info?.kind === 'complex';
  const isCode = info?.bits === 8 && info.kind !== 'bool';
  return (
    (isFloat || isCode) && stats.count >= IDENTICAL_LEAST_VALUES && !isTwoValued(stats) && !isComputedBuffer(stats.name)
  );
};

/** Where a tensor's bytes lie; equal for two names of one storage. */
const placeOf = ({ data }: TensorTable, id: number): string => {
  const view = data.strided.get(id);
  return [
    data.fileOf[id],
    data.begins[id],
    data.ends[id],
    view === undefined ? '' : JSON.stringify(view, bigAsText),
  ].join(' ');
};

const bigAsText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

/**
 * Groups of tensors that may hold the same numbers, by dtype, shape and statistics; their contents have yet to be compared.
 * Several names of the same bytes count as one tensor.
 */
export const identicalCandidates = (
  table: TensorTable,
  facts: Iterable<TensorFacts>,
): readonly (readonly number[])[] => {
  const groups = new Map<string, Map<string, number>>();
  for (const fact of facts) {
    if (isTelling(fact)) {
      const key = `${table.shape(fact.tensorId).join(',')} ${signature(fact.stats)}`;
      const group = groups.get(key) ?? new Map<string, number>();
      const place = placeOf(table, fact.tensorId);
      if (!group.has(place)) {
        group.set(place, fact.tensorId);
      }
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .filter((group) => group.size > 1)
    .map((group) => [...group.values()].sort((a, b) => a - b));
};

/** Ids by the hash of their content; those without one are left out. */
const byContent = (group: readonly number[], hashOf: (id: number) => string | undefined): Iterable<number[]> => {
  const groups = new Map<string, number[]>();
  for (const id of group) {
    const hash = hashOf(id);
    const own = hash === undefined ? undefined : groups.get(hash);
    if (own !== undefined) {
      own.push(id);
    } else if (hash !== undefined) {
      groups.set(hash, [id]);
    }
  }
  return groups.values();
};

/** Names mentioned in one finding. */
const MOST_NAMED = 3;

/**
 * Findings about candidates with the same content.
 *
 * @param hashOf the content's hash of a candidate; undefined when it could not be read
 */
export const identicalFindings = (
  table: TensorTable,
  candidates: readonly (readonly number[])[],
  hashOf: (id: number) => string | undefined,
): Finding[] => {
  const found: Finding[] = [];
  for (const group of candidates) {
    for (const ids of byContent(group, hashOf)) {
      const [, second] = ids;
      if (second === undefined) {
        continue;
      }
      const names = ids.slice(0, MOST_NAMED).map((id) => quoteName(table.name(id)));
      const more = ids.length > MOST_NAMED ? ` and ${formatInt(ids.length - MOST_NAMED)} more` : '';
      const [begin, end] = table.range(second) ?? [0, 0];
      const message = `tensors ${names.join(', ')}${more} hold the same ${formatInt(table.count(second) ?? 0)} values; stored once they would take ${formatBytes((end - begin) * (ids.length - 1))} less`;
      const { file, name } = table.row(second);
      found.push(finding('identical-tensors', message, { file, tensor: name, tensorId: second }));
    }
  }
  return found;
};
