import { QUANTILES, type TensorRow, type TensorStats } from './checkpoint-types.ts';
import type { JsonInput } from './strict-json.ts';

/** The form of a tensor in JSON (`loupe tensors`); what the file leaves open is null. */
export const rowJson = (row: TensorRow): { readonly [field: string]: JsonInput } => ({
  id: row.id,
  name: row.name,
  dtype: row.dtype,
  shape: row.shape,
  parameters: row.parameters ?? null,
  bytes: row.bytes ?? null,
  file: row.file,
  offset: row.offset ?? null,
  contiguous: row.layout === 'contiguous',
  readable: row.readable,
  problem: row.problem,
  quantised: row.quantised && { ...row.quantised },
});

/** The form of a tensor's statistics but for the histogram; of no finite elements min, max, mean, std and quantiles are null. */
export const numbersJson = (stats: Omit<TensorStats, 'histogram'>): { readonly [field: string]: JsonInput } => ({
  name: stats.name,
  dtype: stats.dtype,
  count: stats.count,
  nan: stats.nan,
  posInf: stats.posInf,
  negInf: stats.negInf,
  zeros: stats.zeros,
  negZeros: stats.negZeros,
  subnormals: stats.subnormals,
  min: stats.min ?? null,
  max: stats.max ?? null,
  mean: stats.mean ?? null,
  std: stats.std ?? null,
  quantiles:
    stats.quantiles === undefined
      ? null
      : Object.fromEntries(QUANTILES.map((q, index) => [String(q), stats.quantiles?.[index] ?? null])),
  distinct: stats.distinct ?? null,
  exact: stats.exact,
});

/** The form of a tensor's statistics in JSON (`loupe stats`); as {@link numbersJson}, with the histogram or null. */
export const statsJson = (stats: TensorStats): { readonly [field: string]: JsonInput } => ({
  ...numbersJson(stats),
  histogram: stats.histogram === undefined ? null : { edges: stats.histogram.edges, counts: stats.histogram.counts },
});
