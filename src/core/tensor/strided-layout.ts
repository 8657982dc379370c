import type { Quantisation } from './quantisation.ts';

/**
 * How the elements of a view lie in its storage (FORMATS.md 2.6). Element [i, j, …] is element
 * `firstElement + i·strides[0] + j·strides[1] + …` of the storage.
 */
export interface StridedLayout {
  /** Absolute bytes [begin, end) of the storage. */
  readonly storageBegin: number;
  readonly storageEnd: number;
  readonly firstElement: number;
  /** In elements, one a dimension; 0 repeats the same elements (an expanded tensor). */
  readonly strides: readonly number[];
  /** The stored numbers are big-endian. */
  readonly bigEndian?: boolean;
  /** The tensor's values are the stored ones negated. */
  readonly negated?: boolean;
  /** The tensor's values are the complex conjugates of the stored ones. */
  readonly conjugated?: boolean;
  /** The stored elements are integers that stand for other values. */
  readonly quantised?: Quantisation;
}

/** A buffer that tensors view. */
export interface StorageUse {
  /** Absolute bytes [begin, end) of it in its file. */
  readonly begin: number;
  readonly end: number;
  /** Tensors that view it. */
  readonly tensors: number;
}

/** Strides of a row-major tensor of these sizes, in elements. */
export const rowMajorStrides = (sizes: readonly number[]): number[] => {
  const strides = new Array<number>(sizes.length);
  let stride = 1;
  for (let index = sizes.length - 1; index >= 0; index -= 1) {
    strides[index] = stride;
    stride *= sizes[index] ?? 1;
  }
  return strides;
};

/**
 * The last element a view reaches, counted from the storage's first; −1 for an empty one. Exact, whatever the numbers:
 * compare it with the storage before anything is read.
 */
export const lastElement = (
  firstElement: bigint,
  shape: readonly (number | bigint)[],
  strides: readonly (number | bigint)[],
): bigint => {
  let last = firstElement;
  for (const [index, size] of shape.entries()) {
    if (BigInt(size) === 0n) {
      return -1n;
    }
    last += (BigInt(size) - 1n) * BigInt(strides[index] ?? 0);
  }
  return last;
};
