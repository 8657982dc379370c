import type { F6Order } from '../dtypes/sub-byte.ts';
import type { SliceItem } from '../tensor/slice.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Distribution } from './distribution.ts';
import { type DistributionKernel, WINDOW_BYTES } from './kernels.ts';
import { distributionFromData, newDistribution } from './new-distribution.ts';

/** How a tensor's distribution is taken. */
export interface TensorDistributionOptions {
  readonly f6Order?: F6Order | undefined;
  readonly kernel?: DistributionKernel;
  /** Called with the bytes of each piece that was counted; may throw to stop. */
  readonly onBytes?: (bytes: number) => void;
}

/** Leaves out of a tensor what only repeats the same elements, and how many times each element it keeps occurs. */
export const repeats = (tensor: Tensor): { readonly slice: readonly SliceItem[]; readonly times: number } => {
  const { strides = [], quantised } = tensor.layout ?? {};
  const shape = tensor.shape.map(Number);
  // The same integers stand for other values in another channel.
  const channels = quantised === undefined || quantised.scheme === 'tensor' ? undefined : quantised.axis;
  const isRepeat = (size: number, index: number): boolean => strides[index] === 0 && size > 1 && index !== channels;
  const slice = shape.map((size, index): SliceItem => (isRepeat(size, index) ? { stop: 1 } : {}));
  const times = shape.reduce((product, size, index) => (isRepeat(size, index) ? product * size : product), 1);
  return { slice, times };
};

/** The distribution of the same elements `times` times over, by doubling. */
const repeated = (once: Distribution, times: number): Distribution => {
  let total: Distribution | undefined;
  let power = once;
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    const copy = distributionFromData(power.toData());
    if (left % 2 === 1) {
      if (total === undefined) {
        total = copy;
      } else {
        total.merge(copy);
      }
    }
    const doubled = distributionFromData(power.toData());
    doubled.merge(power);
    power = doubled;
  }
  return total ?? once;
};

/**
 * The distribution of one tensor, read here and now in bounded memory. Elements that an expanded tensor repeats are read
 * once and counted as often as they occur.
 *
 * @throws UnreadableTensorError; LoupeError `f6-bit-order`; FileChangedError, ClosedError; what `onBytes` throws.
 */
export const tensorDistribution = async (
  tensor: Tensor,
  { f6Order, kernel, onBytes }: TensorDistributionOptions = {},
): Promise<Distribution> => {
  const { slice, times } = repeats(tensor);
  // Refuses what cannot be decoded before anything is read.
  const selected = tensor.select({ f6Order, slice });
  const distribution = newDistribution(tensor.dtype, { f6Order, ...(kernel === undefined ? {} : { kernel }) });
  if (tensor.layout === undefined) {
    for await (const bytes of tensor.rawPieces(WINDOW_BYTES)) {
      distribution.add(bytes);
      onBytes?.(bytes.byteLength);
    }
    return distribution;
  }
  const { bits } = tensor.stored;
  for await (const { bytes, count } of selected.chunks()) {
    distribution.add(bytes);
    onBytes?.(Math.ceil((count * bits) / 8) * times);
  }
  return times === 1 ? distribution : repeated(distribution, times);
};
