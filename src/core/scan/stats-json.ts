import { QUANTILES, type TensorStats } from '../../shared/checkpoint-types.ts';
import type { JsonInput } from '../../shared/strict-json.ts';

/** The form of a tensor's statistics in JSON; of no finite elements min, max, mean, std, quantiles and histogram are null. */
export const statsJson = (stats: TensorStats): { readonly [field: string]: JsonInput } => ({
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
  histogram: stats.histogram === undefined ? null : { edges: stats.histogram.edges, counts: stats.histogram.counts },
});
