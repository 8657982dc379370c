import { LoupeError } from '../../shared/errors.ts';
import type { DistributionData } from './distribution.ts';

const kindOf = (data: DistributionData): string =>
  data.kind === 'patterns' && data.f6Order !== undefined ? `${data.dtype} (${data.f6Order})` : data.dtype;

/** The `dtype-mismatch` of two distributions of different dtypes, or of one 6-bit dtype in different orders. */
export const notMergeable = (into: DistributionData, other: DistributionData): LoupeError =>
  new LoupeError('dtype-mismatch', `a distribution of ${kindOf(other)} does not merge into one of ${kindOf(into)}`, {
    dtype: into.dtype,
    other: other.dtype,
  });
