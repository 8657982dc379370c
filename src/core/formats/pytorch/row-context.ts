import type { Int } from '../../../shared/checkpoint-types.ts';
import { type FindingCode, finding } from '../../../shared/findings.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { elementCount, narrow } from '../../checked-arithmetic.ts';
import type { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import type { Quantisation } from '../../tensor/quantisation.ts';
import { rowMajorStrides, type StridedLayout } from '../../tensor/strided-layout.ts';
import type { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import type { InlineBytes } from './inline-bytes.ts';
import type { StorageReference } from './storage-reference.ts';
import type { MissingStorage, PlacedStorage, Storages } from './storages.ts';

/** Where rows go, and what rules them. */
export interface RowContext {
  readonly table: TensorTableBuilder;
  readonly storages: Storages;
  /** The storages are big-endian; what the pickle itself holds says its own order. */
  readonly bigEndian: boolean;
  /** Where bytes lie that the pickle itself holds. */
  readonly inline: InlineBytes;
  /** The source of a file of the table, by its index. */
  readonly sourceOf: (file: number) => ByteSource;
  /** What has been put in memory for all tensors of the file. */
  readonly budget: { channels: number };
  /** Names of tensors of which it is not sure which byte comes first. */
  readonly uncertain: string[];
  readonly file: string;
  readonly findings: FindingList;
}

/** A tensor whose values cannot be had. */
export interface Refusal {
  readonly dtype: string;
  readonly shape: readonly bigint[];
  readonly why: string;
  /** Of a fault; without one the tensor is merely not decoded. */
  readonly code?: FindingCode | undefined;
}

/** What is to be said of a tensor besides where it lies. */
export interface Content {
  readonly name: string;
  readonly dtype: string;
  readonly bigEndian: boolean;
  readonly negated: boolean;
  readonly conjugated: boolean;
  readonly quantised?: Quantisation;
}

/** How a tensor lies in a storage in which there is room for it. */
export interface Fit {
  /** Exact, as the list shows it. */
  readonly sizes: readonly Int[];
  readonly count: number;
  /** Place of its first element in the storage, and its strides, in elements; of an empty tensor those of any. */
  readonly first: number;
  readonly strides: readonly number[];
  /** Bytes of one element. */
  readonly size: number;
  /** Bytes of the storage the tensor reaches, [begin, end). */
  readonly reach: readonly [number, number];
}

/** Sizes as the table has them. */
export const ints = (values: readonly bigint[]): Int[] => values.map(narrow);

/** The row of a tensor whose values cannot be had, with the reason; a finding where that is a fault. */
export const addRefused = (context: RowContext, name: string, { dtype, shape, why, code }: Refusal): void => {
  const sizes = ints(shape);
  const row = { name, dtype, shape: sizes, count: elementCount(sizes), begin: undefined, end: undefined } as const;
  const tensorId = context.table.add({ ...row, layout: 'absent', file: 0 });
  context.table.refuse(tensorId, why, 'absent');
  if (code !== undefined) {
    const where = { file: context.file, tensor: name, tensorId };
    context.findings.add(finding(code, `tensor ${quoteName(name)}: ${why}`, where));
  }
};

/** Where a storage lies: beside the pickle, or in it. */
export const placeOf = ({ inline, storages }: RowContext, storage: StorageReference): PlacedStorage | MissingStorage =>
  storage.inside === undefined ? storages.find(storage) : inline.placeInside(storage.inside);

/** Whether the elements simply lie one after the other; dimensions of one element may have any stride. */
export const isContiguous = (shape: readonly number[], strides: readonly number[]): boolean => {
  const plain = rowMajorStrides(shape);
  return shape.every((size, index) => size === 1 || strides[index] === plain[index]);
};

/** The row of a tensor that fits its storage. */
export const addPlaced = (context: RowContext, content: Content, storage: PlacedStorage, fitted: Fit): void => {
  const { count, size, reach, sizes, first, strides } = fitted;
  const { name, dtype, negated, conjugated, quantised } = content;
  const begin = storage.begin + reach[0];
  const swapped = content.bigEndian && size > 1;
  const plain = count === 0 || isContiguous(sizes.map(Number), strides);
  const layout: StridedLayout = {
    storageBegin: storage.begin,
    storageEnd: storage.begin + storage.bytes,
    firstElement: first,
    strides,
    ...(swapped ? { bigEndian: true } : {}),
    ...(negated ? { negated: true } : {}),
    ...(conjugated ? { conjugated: true } : {}),
    ...(quantised === undefined ? {} : { quantised }),
  };
  const asStored = plain && !swapped && !negated && !conjugated && quantised === undefined;
  context.table.add({
    name,
    dtype,
    shape: sizes,
    count,
    begin,
    end: begin + Math.ceil(count * size),
    layout: plain ? 'contiguous' : 'strided',
    file: storage.file,
    strided: asStored ? undefined : layout,
    storage,
  });
};
