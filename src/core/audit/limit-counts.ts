import type { TensorStats } from '../../shared/checkpoint-types.ts';
import type { Distribution } from '../distribution/distribution.ts';
import { dtypeInfo } from '../dtypes/dtype-table.ts';
import { floatValue } from '../dtypes/small-floats.ts';

/** Numbers that are the smallest and the largest of their dtype. */
export interface LimitCounts {
  readonly low: number;
  readonly high: number;
}

/**
 * The largest finite value of a float of 8 or 16 bits; undefined for other dtypes. Floats of 4 and 6 bits use their limits
 * all the time, wider ones never reach theirs, and bare exponents are scales.
 */
export const limitOf = (dtype: string): number | undefined => {
  const info = dtypeInfo(dtype);
  const { format } = info ?? {};
  if (
    info === undefined ||
    format === undefined ||
    format.specials === 'scale' ||
    (info.bits !== 8 && info.bits !== 16)
  ) {
    return undefined;
  }
  const { exponentBits, mantissaBits } = format;
  for (let code = 2 ** (exponentBits + mantissaBits) - 1; code > 0; code -= 1) {
    const value = floatValue(format, code);
    if (Number.isFinite(value)) {
      return value;
    }
  }
  return undefined;
};

/** Counts the numbers at the limits of their dtype, exactly; undefined when there are none, or the dtype has none that tell. */
export const countAtLimits = (distribution: Distribution, { min, max }: TensorStats): LimitCounts | undefined => {
  const limit = limitOf(distribution.dtype);
  if (limit === undefined || (max !== limit && min !== -limit)) {
    return undefined;
  }
  // One bin, narrower than the distance to the next value: it holds the limit alone.
  const countOf = (value: number): number => distribution.histogram(1, value, value)?.counts[0] ?? 0;
  return { low: min === -limit ? countOf(-limit) : 0, high: max === limit ? countOf(limit) : 0 };
};
