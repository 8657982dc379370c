import { LoupeError } from '../../shared/errors.ts';
import { componentBits, type DtypeInfo } from '../dtypes/dtype-table.ts';
import { requireDtype } from '../dtypes/require-dtype.ts';
import { type F6Order, requireF6Order } from '../dtypes/sub-byte.ts';
import type { Distribution, DistributionData } from './distribution.ts';
import { F6Counter } from './f6-counter.ts';
import type { DistributionKernel, PatternCounter } from './kernels.ts';
import { PatternDistribution } from './pattern-distribution.ts';
import { PlainKernel } from './plain/plain-kernel.ts';
import { WideDistribution } from './wide-distribution.ts';
import { wideEncoding } from './wide-totals.ts';

/** How to build a distribution. */
export interface DistributionOptions {
  /** Order of the bits of 6-bit dtypes, which nothing else can tell. */
  readonly f6Order?: F6Order | undefined;
  /** The hot loops; by default the plain ones. Share one kernel among many tensors: it keeps its tables. */
  readonly kernel?: DistributionKernel;
}

const patternCounter = (info: DtypeInfo, order: F6Order | undefined, kernel: DistributionKernel): PatternCounter => {
  if (order !== undefined) {
    return new F6Counter(info, order);
  }
  const bits = componentBits(info);
  return kernel.patternCounter(bits === 16 ? 16 : bits === 8 ? 8 : 4);
};

const newPatternDistribution = (info: DtypeInfo, order: F6Order | undefined, kernel: DistributionKernel) =>
  new PatternDistribution(info, order, () => patternCounter(info, order, kernel));

/**
 * An empty distribution.
 *
 * @param dtype safetensors name
 * @throws LoupeError `unknown-dtype`; `f6-bit-order` for a 6-bit dtype without an order
 */
export const newDistribution = (dtype: string, options: DistributionOptions = {}): Distribution => {
  const info = requireDtype(dtype);
  const order = requireF6Order(info, options.f6Order);
  const kernel = options.kernel ?? new PlainKernel();
  const wide = wideEncoding(info.encoding);
  return wide === undefined ? newPatternDistribution(info, order, kernel) : new WideDistribution(info, wide, kernel);
};

/**
 * A distribution that holds what {@link Distribution.toData} gave; it may be fed and merged further.
 *
 * @throws LoupeError `unknown-dtype`, `f6-bit-order`; `dtype-mismatch` when the data are not of the kind its dtype has
 */
export const distributionFromData = (
  data: DistributionData,
  options: Pick<DistributionOptions, 'kernel'> = {},
): Distribution => {
  const info = requireDtype(data.dtype);
  const kernel = options.kernel ?? new PlainKernel();
  const wide = wideEncoding(info.encoding);
  if (data.kind === 'patterns' && wide === undefined) {
    const distribution = newPatternDistribution(info, requireF6Order(info, data.f6Order), kernel);
    distribution.absorb(data.patterns);
    return distribution;
  }
  if (data.kind === 'wide' && wide !== undefined) {
    const distribution = new WideDistribution(info, wide, kernel);
    distribution.absorb(data.totals);
    return distribution;
  }
  throw new LoupeError('dtype-mismatch', `data of kind ${data.kind} are not those of a ${data.dtype} tensor`, {
    dtype: data.dtype,
    kind: data.kind,
  });
};
