import { formatInt } from '../../../shared/format-number.ts';
import { elementCount } from '../../checked-arithmetic.ts';
import { lastElement, rowMajorStrides } from '../../tensor/strided-layout.ts';
import type { TorchTensor } from './dense-tensor.ts';
import { type Fit, ints, type Refusal } from './row-context.ts';
import type { PlacedStorage } from './storages.ts';

/** Compares a tensor of elements of so many bits with its storage; a text says why it does not fit. */
export const measureFit = (
  tensor: Pick<TorchTensor, 'shape' | 'strides' | 'offset'>,
  storage: PlacedStorage,
  bits: number,
): Fit | Pick<Refusal, 'code' | 'why'> => {
  const sizes = ints(tensor.shape);
  const count = elementCount(sizes);
  const size = bits / 8;
  if (typeof count !== 'number') {
    return { code: 'shape-overflow', why: `its shape [${tensor.shape.join(', ')}] has more elements than can be read` };
  }
  const held = Math.floor(storage.bytes / size);
  const last = lastElement(tensor.offset, tensor.shape, tensor.strides);
  if (last >= BigInt(held)) {
    const why = `it needs element ${formatInt(last)} of its storage, which has ${formatInt(held)}`;
    return { code: 'tensor-out-of-bounds', why };
  }
  // The last element lies in the storage, so every number on the way is small; an empty tensor reaches nothing.
  const first = count === 0 ? 0 : Number(tensor.offset);
  const end = count === 0 ? 0 : Number(last) + 1;
  const strides = count === 0 ? rowMajorStrides(sizes.map(Number)) : tensor.strides.map(Number);
  const reach = [Math.floor(first * size), Math.ceil(end * size)] as const;
  return { sizes, count, size, reach, first, strides };
};
