import type { FindingCode } from '../../../shared/findings.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import type { TorchTensor } from './dense-tensor.ts';
import type { NumpyArray } from './numpy-array.ts';

/** What a node is, seen as a tensor. */
export type TensorReading =
  | { readonly kind: 'tensor'; readonly tensor: TorchTensor }
  /** Made by a rebuild function, but with arguments that make no sense or of a kind that is not decoded. */
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly dtype: string;
      readonly shape: readonly bigint[];
      /** Of a fault rather than of a kind that is merely not decoded. */
      readonly code?: FindingCode;
    }
  /** An array or number of numpy, whose bytes the pickle itself holds. */
  | { readonly kind: 'array'; readonly array: NumpyArray }
  /** A wrapper around another node that is the tensor. */
  | { readonly kind: 'inside'; readonly node: PickleNode }
  /** Several dense tensors that together stand for one: listed as its parts, never joined. */
  | { readonly kind: 'parts'; readonly parts: readonly TensorPart[] }
  | { readonly kind: 'other' };

/** One of the tensors that a sparse, quantised or nested one is made of. */
export interface TensorPart {
  /** As torch calls it: `indices`, `values`, `scales`, …; empty for the tensor itself. */
  readonly name: string;
  readonly content: PickleNode | TensorReading;
}

export const OTHER: TensorReading = { kind: 'other' };

/** A tensor whose values cannot be had, through no fault of the file. */
export const refused = (why: string, dtype = '', shape: readonly bigint[] = []): TensorReading => ({
  kind: 'refused',
  why,
  dtype,
  shape,
});

/** As {@link refused}, for what no sound file holds. */
export const faulty = (code: FindingCode, why: string, dtype = '', shape: readonly bigint[] = []): TensorReading => ({
  kind: 'refused',
  why,
  dtype,
  shape,
  code,
});
