import type { Int } from '../../../shared/checkpoint-types.ts';
import { type FindingCode, finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { elementCount, narrow } from '../../checked-arithmetic.ts';
import { dtypeInfo } from '../../dtypes/dtype-table.ts';
import type { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { lastElement, rowMajorStrides, type StridedLayout } from '../../tensor/strided-layout.ts';
import type { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import type { FoundTensor } from './collect-tensors.ts';
import type { PlacedStorage, Storages } from './storages.ts';
import type { TorchTensor } from './torch-tensor.ts';

/** Where rows go, and what rules them. */
export interface RowContext {
  readonly table: TensorTableBuilder;
  readonly storages: Storages;
  readonly bigEndian: boolean;
  readonly file: string;
  readonly findings: FindingList;
}

const ints = (values: readonly bigint[]): Int[] => values.map(narrow);

/** A row for a tensor whose values cannot be had, with the reason. */
const addRefused = (
  { table }: RowContext,
  name: string,
  dtype: string,
  shape: readonly bigint[],
  reason: string,
): number => {
  const sizes = ints(shape);
  const row = { name, dtype, shape: sizes, count: elementCount(sizes), begin: undefined, end: undefined } as const;
  const id = table.add({ ...row, layout: 'absent', file: 0 });
  table.refuse(id, reason, 'absent');
  return id;
};

/** Whether the elements simply lie one after the other; dimensions of one element may have any stride. */
const isContiguous = (shape: readonly number[], strides: readonly bigint[]): boolean => {
  const plain = rowMajorStrides(shape);
  return shape.every((size, index) => size === 1 || strides[index] === BigInt(plain[index] ?? 0));
};

interface Fit {
  readonly shape: readonly number[];
  readonly count: number;
  /** Bytes of one element. */
  readonly size: number;
  /** Bytes of the storage the tensor reaches, [begin, end). */
  readonly reach: readonly [number, number];
}

/** Compares a tensor with its storage; a text says why it does not fit. */
const measureFit = (
  tensor: TorchTensor,
  storage: PlacedStorage,
): Fit | { readonly code: FindingCode; readonly why: string } => {
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
  return { shape: sizes.map(Number), count, size, reach: [first * size, end * size] };
};

const addDense = (
  context: RowContext,
  name: string,
  tensor: TorchTensor,
  storage: PlacedStorage,
  fitted: Fit,
): void => {
  const { count, size, reach, shape } = fitted;
  context.storages.reach(storage, reach);
  const begin = storage.begin + reach[0];
  const swapped = context.bigEndian && tensor.dtype !== 'BOOL' && size > 1;
  const plain = count === 0 || isContiguous(shape, tensor.strides);
  const layout: StridedLayout = {
    storageBegin: storage.begin,
    storageEnd: storage.begin + storage.bytes,
    firstElement: count === 0 ? 0 : Number(tensor.offset),
    strides: count === 0 ? rowMajorStrides(shape) : tensor.strides.map(Number),
    ...(swapped ? { bigEndian: true } : {}),
    ...(tensor.negated ? { negated: true } : {}),
    ...(tensor.conjugated ? { conjugated: true } : {}),
  };
  const asStored = plain && !swapped && !tensor.negated && !tensor.conjugated;
  context.table.add({
    name,
    dtype: tensor.dtype,
    shape,
    count,
    begin,
    end: begin + count * size,
    layout: plain ? 'contiguous' : 'strided',
    file: storage.file,
    strided: asStored ? undefined : layout,
  });
};

/** Adds the row of one tensor of a pickle, judged against its storage. */
export const addTensorRow = (context: RowContext, name: string, found: FoundTensor): void => {
  const { reading } = found;
  if (reading.kind === 'refused') {
    const tensorId = addRefused(context, name, reading.dtype, reading.shape, reading.why);
    if (reading.code !== undefined) {
      const where = { file: context.file, tensor: name, tensorId };
      context.findings.add(finding(reading.code, `tensor ${quoteName(name)}: ${reading.why}`, where));
    }
    return;
  }
  const { tensor } = reading;
  const storage = context.storages.find(tensor.storage);
  if ('problem' in storage) {
    addRefused(context, name, tensor.dtype, tensor.shape, storage.problem);
    return;
  }
  if (!tensor.known || dtypeInfo(tensor.dtype) === undefined) {
    addRefused(context, name, tensor.dtype, tensor.shape, `its dtype ${quoteName(tensor.dtype)} is not decoded`);
    context.storages.reach(storage, [0, storage.bytes]);
    return;
  }
  const fitted = measureFit(tensor, storage);
  if ('why' in fitted) {
    const tensorId = addRefused(context, name, tensor.dtype, tensor.shape, fitted.why);
    const where = { file: context.file, tensor: name, tensorId };
    context.findings.add(finding(fitted.code, `tensor ${quoteName(name)}: ${fitted.why}`, where));
    return;
  }
  addDense(context, name, tensor, storage, fitted);
};
