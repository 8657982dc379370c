import type { TensorStats } from '../../src/shared/checkpoint-types.ts';

/** Statistics of a tensor without elements. */
export const emptyStats = (name: string, dtype: string): TensorStats => ({
  name,
  dtype,
  count: 0,
  nan: 0,
  posInf: 0,
  negInf: 0,
  zeros: 0,
  negZeros: 0,
  subnormals: 0,
  min: undefined,
  max: undefined,
  mean: undefined,
  std: undefined,
  quantiles: undefined,
  distinct: undefined,
  exact: true,
  histogram: undefined,
});
