import type { TensorStats } from '../../shared/checkpoint-types.ts';
import type { LimitCounts } from './limit-counts.ts';
import type { FirstNonFinite } from './non-finite.ts';

/** What a scan knows of one tensor's numbers. */
export interface TensorFacts {
  readonly tensorId: number;
  readonly stats: TensorStats;
  /** Bytes of a BOOL tensor that are neither 0 nor 1. */
  readonly boolOutOfRange: number;
  /** Numbers at the limits of the dtype; undefined where nothing is. */
  readonly atLimit?: LimitCounts | undefined;
  /** Where the first NaN and the first infinity are, once that is known. */
  readonly first?: FirstNonFinite | undefined;
}

/** Finite numbers. */
export const finiteCount = ({ count, nan, posInf, negInf }: TensorStats): number => count - nan - posInf - negInf;

/** Root mean square of the finite numbers; undefined when there are none. */
export const scaleOf = ({ mean, std }: TensorStats): number | undefined =>
  mean === undefined || std === undefined ? undefined : Math.hypot(mean, std);

/**
 * Whether the finite numbers take two values at the most, as masks do. Of all numbers in [min, max] with their mean, those
 * have the greatest variance, (max − mean)·(mean − min).
 */
export const isTwoValued = ({ min, max, mean, std }: TensorStats): boolean => {
  if (min === undefined || max === undefined || mean === undefined || std === undefined) {
    return true;
  }
  const greatest = (Number(max) - mean) * (mean - Number(min));
  return std * std >= greatest * (1 - 1e-9);
};

/** Last parts of the names of buffers that are computed, not learned, and the same in every layer. */
const COMPUTED =
  /(?:^|[._])(?:inv_freq|freqs(?:_cis)?|rope_freqs|cos(?:_cached)?|sin(?:_cached)?|position_ids|token_type_ids|relative_position_index|relative_coords_table|pos_enc|masked_bias|(?:attn_|causal_|attention_)?mask|g_idx|num_batches_tracked|(?:forward|inverse)_basis(?:_buffer)?|mel_basis|filterbank|window)(?:\.weight)?$/;

/** Whether a tensor is, by its name, a buffer that is computed and not learned. */
export const isComputedBuffer = (name: string): boolean => name.length < 1000 && COMPUTED.test(name);
