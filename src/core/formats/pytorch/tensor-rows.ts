import { formatInt } from '../../../shared/format-number.ts';
import { elementCount } from '../../checked-arithmetic.ts';
import { dtypeInfo } from '../../dtypes/dtype-table.ts';
import { quoteName } from '../../quote-name.ts';
import { lastElement, rowMajorStrides } from '../../tensor/strided-layout.ts';
import { addArrayRow } from './array-rows.ts';
import type { FoundTensor } from './collect-tensors.ts';
import type { TorchTensor } from './dense-tensor.ts';
import { addPlaced, addRefused, type Fit, ints, type Refusal, type RowContext } from './row-context.ts';
import type { PlacedStorage } from './storages.ts';

/** Compares a tensor with its storage; a text says why it does not fit. */
const measureFit = (tensor: TorchTensor, storage: PlacedStorage): Fit | Pick<Refusal, 'code' | 'why'> => {
  const sizes = ints(tensor.shape);
  const count = elementCount(sizes);
  const bits = dtypeInfo(tensor.dtype)?.bits ?? 8;
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
  return { sizes, count, size, reach: [first * size, end * size], first, strides };
};

const addDenseRow = (context: RowContext, name: string, tensor: TorchTensor): void => {
  const { dtype, shape, negated, conjugated } = tensor;
  const { inside } = tensor.storage;
  const storage = inside === undefined ? context.storages.find(tensor.storage) : context.inline.placeInside(inside);
  if ('problem' in storage) {
    addRefused(context, name, { dtype, shape, why: storage.problem });
    return;
  }
  const isKnown = tensor.known && dtypeInfo(dtype) !== undefined;
  const fitted = isKnown ? measureFit(tensor, storage) : { why: `its dtype ${quoteName(dtype)} is not decoded` };
  const reach = isKnown ? ('reach' in fitted ? fitted.reach : undefined) : ([0, storage.bytes] as const);
  if (inside === undefined && reach !== undefined) {
    context.storages.reach(storage, reach);
  }
  if ('why' in fitted) {
    addRefused(context, name, { dtype, shape, ...fitted });
    return;
  }
  // Storages inside a pickle are always little-endian (FORMATS.md 2.5).
  const bigEndian = context.bigEndian && inside === undefined;
  addPlaced(context, { name, dtype, negated, conjugated, bigEndian }, storage, fitted);
};

/** Adds the row of one tensor of a pickle, judged against its storage. */
export const addTensorRow = (context: RowContext, name: string, { reading }: FoundTensor): void => {
  switch (reading.kind) {
    case 'refused':
      addRefused(context, name, reading);
      break;
    case 'array':
      addArrayRow(context, name, reading.array);
      break;
    case 'tensor':
      addDenseRow(context, name, reading.tensor);
      break;
  }
};
