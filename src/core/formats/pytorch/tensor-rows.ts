import { dtypeInfo } from '../../dtypes/dtype-table.ts';
import { storedOfQuantised } from '../../dtypes/quantised-dtypes.ts';
import { quoteName } from '../../quote-name.ts';
import { addArrayRow } from './array-rows.ts';
import type { FoundTensor } from './collect-tensors.ts';
import type { Quantiser, TorchTensor } from './dense-tensor.ts';
import { measureFit } from './measure-fit.ts';
import { packedProblem, resolveQuantiser } from './quantised-rows.ts';
import { addPlaced, addRefused, type Content, type Fit, placeOf, type RowContext } from './row-context.ts';
import type { PlacedStorage } from './storages.ts';

/** What the elements are in the storage, where the dtype can be decoded. */
const storedInfo = ({ dtype, known, quantiser }: TorchTensor) =>
  known ? (quantiser === undefined ? dtypeInfo(dtype) : storedOfQuantised(dtype)) : undefined;

/** A tensor that lies in its storage as it should. */
interface Fitted {
  readonly content: Content;
  readonly storage: PlacedStorage;
  readonly fit: Fit;
}

/** Looks for a tensor's bytes; adds the row itself where they cannot be had. */
const fitDense = (context: RowContext, name: string, tensor: TorchTensor): Fitted | undefined => {
  const { dtype, shape, negated, conjugated } = tensor;
  const { inside } = tensor.storage;
  const storage = placeOf(context, tensor.storage);
  if ('problem' in storage) {
    addRefused(context, name, { dtype, shape, why: storage.problem });
    return undefined;
  }
  const info = storedInfo(tensor);
  const undecoded = { why: `its dtype ${quoteName(dtype)} is not decoded` };
  const fit = info === undefined ? undecoded : measureFit(tensor, storage, info.bits);
  const reach = info === undefined ? ([0, storage.bytes] as const) : 'reach' in fit ? fit.reach : undefined;
  if (inside === undefined && reach !== undefined) {
    context.storages.reach(storage, reach);
  }
  if ('why' in fit) {
    addRefused(context, name, { dtype, shape, ...fit });
    return undefined;
  }
  // Storages inside a pickle are always little-endian (FORMATS.md 2.5).
  const bigEndian = context.bigEndian && inside === undefined;
  if (bigEndian && tensor.storage.dtype === undefined && fit.size > 1) {
    context.uncertain.push(name);
  }
  return { content: { name, dtype, negated, conjugated, bigEndian }, storage, fit };
};

const addQuantised = async (
  context: RowContext,
  { content, storage, fit }: Fitted,
  tensor: TorchTensor,
  quantiser: Quantiser,
): Promise<void> => {
  const packed = packedProblem(tensor);
  const quantised = packed === undefined ? await resolveQuantiser(context, tensor, quantiser) : { why: packed };
  if ('why' in quantised) {
    addRefused(context, content.name, { dtype: tensor.dtype, shape: tensor.shape, ...quantised });
  } else {
    addPlaced(context, { ...content, quantised }, storage, fit);
  }
};

const addDenseRow = (context: RowContext, name: string, tensor: TorchTensor): Promise<void> | undefined => {
  const fitted = fitDense(context, name, tensor);
  const { quantiser } = tensor;
  if (fitted !== undefined && quantiser !== undefined) {
    return addQuantised(context, fitted, tensor, quantiser);
  }
  if (fitted !== undefined) {
    addPlaced(context, fitted.content, fitted.storage, fitted.fit);
  }
  return undefined;
};

/**
 * Adds the row of one tensor of a pickle, judged against its storage: at once, but for quantised ones, whose scales are read
 * out of the file.
 *
 * @throws whatever the source's reads throw.
 */
export const addTensorRow = (
  context: RowContext,
  name: string,
  { reading }: FoundTensor,
): Promise<void> | undefined => {
  switch (reading.kind) {
    case 'refused':
      addRefused(context, name, reading);
      return undefined;
    case 'array':
      addArrayRow(context, name, reading.array);
      return undefined;
    case 'tensor':
      return addDenseRow(context, name, reading.tensor);
  }
};
