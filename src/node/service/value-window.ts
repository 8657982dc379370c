import { elementBits, elementTexts } from '../../core/dtypes/exact-text.ts';
import { elementNumbers } from '../../core/dtypes/exact-values.ts';
import type { Tensor } from '../../core/tensor/tensor.ts';
import type { ValueWindow } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';

/**
 * Reads a small rectangle of values for a grid.
 *
 * @throws LoupeError `too-large` when the slice has more than `limit` elements; what reading throws.
 */
export const readValueWindow = async (
  tensor: Tensor,
  slice: string | undefined,
  limit: number,
): Promise<ValueWindow> => {
  const { shape, count, chunks } = tensor.select({ slice });
  if (count > limit) {
    throw new LoupeError('too-large', `the slice has ${count} elements, at most ${limit} are returned at once`, {
      count,
      limit,
    });
  }
  const texts: string[] = [];
  const bits: string[] = [];
  const numbers = new Float64Array(count);
  let done = 0;
  for await (const { bytes, firstElement, count: length } of chunks()) {
    texts.push(...elementTexts(tensor.dtype, bytes, length, { firstElement }));
    bits.push(...elementBits(tensor.dtype, bytes, length, { firstElement }));
    numbers.set(elementNumbers(tensor.dtype, bytes, length, { firstElement }), done);
    done += length;
  }
  return { shape, texts, bits, numbers };
};
