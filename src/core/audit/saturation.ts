import { type Finding, finding } from '../../shared/findings.ts';
import { formatInt, formatStatistic } from '../../shared/format-number.ts';
import { dtypeInfo } from '../dtypes/dtype-table.ts';
import { quoteName } from '../quote-name.ts';
import { limitOf } from './limit-counts.ts';
import { isComputedBuffer, isTwoValued, type TensorFacts } from './tensor-facts.ts';
import { SATURATED_8_BIT_SHARE, SATURATED_16_BIT_COUNT } from './thresholds.ts';

/** A finding when numbers lie at the limits of their dtype as if they had been cut off there. Masks use the limits for −∞. */
export const saturationFinding = ({ tensorId, stats, atLimit }: TensorFacts, file: string): Finding | undefined => {
  const limit = limitOf(stats.dtype);
  if (atLimit === undefined || limit === undefined || isTwoValued(stats) || isComputedBuffer(stats.name)) {
    return undefined;
  }
  const count = atLimit.low + atLimit.high;
  const enough =
    dtypeInfo(stats.dtype)?.bits === 8 ? count >= stats.count * SATURATED_8_BIT_SHARE : count >= SATURATED_16_BIT_COUNT;
  if (!enough) {
    return undefined;
  }
  const share = formatStatistic((count / stats.count) * 100, 2);
  const message = `tensor ${quoteName(stats.name)} has ${formatInt(count)} of ${formatInt(stats.count)} values (${share} %) at ±${limit}, the limit of ${stats.dtype}: cut off, it seems`;
  return finding('saturated', message, { file, tensor: stats.name, tensorId });
};
