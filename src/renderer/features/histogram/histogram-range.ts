import { QUANTILES } from '../../../shared/checkpoint-types.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';

/** Which values the histogram spans. */
export type HistogramRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'p0.1' }
  | { readonly kind: 'p1' }
  | { readonly kind: 'custom'; readonly low: number; readonly high: number };

/** A summary's quantile; undefined when it has none. */
export const quantileOf = (
  { quantiles }: Pick<TensorNumbers, 'quantiles'>,
  share: (typeof QUANTILES)[number],
): number | undefined => quantiles?.[QUANTILES.indexOf(share)];

/** Finite elements of a tensor. */
export const finiteCount = ({ count, nan, posInf, negInf }: TensorNumbers): number => count - nan - posInf - negInf;
