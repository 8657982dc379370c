import type { F6Order } from '../dtypes/sub-byte.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Distribution } from './distribution.ts';
import { newDistribution } from './new-distribution.ts';

/** Bytes read at once; a multiple of every dtype's group of whole bytes. */
const WINDOW_BYTES = 24 * 43_690;

/**
 * The distribution of one tensor, read here and now in bounded memory. The desktop program and the command line use worker
 * threads instead.
 *
 * @throws UnreadableTensorError; LoupeError `f6-bit-order`; FileChangedError, ClosedError.
 */
export const tensorDistribution = async (tensor: Tensor, f6Order?: F6Order): Promise<Distribution> => {
  // Refuses what cannot be decoded before anything is read.
  tensor.select({ f6Order });
  const distribution = newDistribution(tensor.dtype, { f6Order });
  for await (const bytes of tensor.rawPieces(WINDOW_BYTES)) {
    distribution.add(bytes);
  }
  return distribution;
};
