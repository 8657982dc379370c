import type { PickleNode } from '../pickle/nodes.ts';
import type { NestedStorages } from './nested-storages.ts';
import { entriesOf, integerOf, isSettled, sizesOf, textOfNode } from './read-node.ts';
import { type StorageReference, storageOf } from './storage-reference.ts';
import { faulty, type TensorReading } from './tensor-reading.ts';
import { torchDtype } from './torch-dtypes.ts';

/** A tensor over a storage, as its rebuild function would make it. Nothing in it has been compared with the file. */
export interface TorchTensor {
  readonly storage: StorageReference;
  /** This program's dtype name; as the pickle spells it where `known` is false. */
  readonly dtype: string;
  readonly known: boolean;
  /** In elements of the tensor's dtype. */
  readonly offset: bigint;
  readonly shape: readonly bigint[];
  readonly strides: readonly bigint[];
  readonly conjugated: boolean;
  readonly negated: boolean;
  /** What its integers stand for; undefined for a tensor that is not quantised. */
  readonly quantiser?: Quantiser;
}

/** The numbers that give quantised integers their meaning, as the pickle has them. */
export type Quantiser =
  | { readonly scheme: 'tensor'; readonly scale: number; readonly zeroPoint: bigint }
  | {
      readonly scheme: 'channels';
      readonly axis: bigint;
      readonly scales: QuantiserNumbers;
      readonly zeroPoints: QuantiserNumbers;
    };

/** One number a channel: a tensor of its own, or a list in old files; `float` tells lists of floats. */
export type QuantiserNumbers =
  | { readonly kind: 'tensor'; readonly tensor: TorchTensor }
  | { readonly kind: 'list'; readonly values: readonly number[]; readonly float: boolean };

/** Arguments of a rebuild function of a dense tensor. */
export interface DenseArguments {
  readonly storage: PickleNode | undefined;
  readonly offset: PickleNode | undefined;
  readonly size: PickleNode | undefined;
  readonly stride: PickleNode | undefined;
  /** Named dtype (v3); undefined where the storage's class tells. */
  readonly dtype?: PickleNode | undefined;
  readonly metadata?: PickleNode | undefined;
}

/** `conj` and `neg` of a tensor's metadata, which may be left out; undefined where they are no plain truth values. */
const viewFlags = (
  metadata: PickleNode | undefined,
  at: number,
): Pick<TorchTensor, 'conjugated' | 'negated'> | undefined => {
  const entries = metadata === undefined || metadata.kind === 'none' ? [] : entriesOf(metadata);
  const flags = { conj: false, neg: false };
  for (const { key, value } of entries ?? []) {
    const name = textOfNode(key);
    if (name === 'conj' || name === 'neg') {
      if (value.kind !== 'bool') {
        return undefined;
      }
      flags[name] = value.value;
    }
  }
  return entries === undefined || !isSettled(metadata, at) ? undefined : { conjugated: flags.conj, negated: flags.neg };
};

/**
 * Reads the arguments of a rebuild function.
 *
 * @param at byte of the opcode that calls it: what is put into an argument later is not what it was given.
 */
export const readDense = (given: DenseArguments, at: number, nested: NestedStorages): TensorReading => {
  const storage = storageOf(given.storage) ?? nested.of(given.storage);
  const offset = integerOf(given.offset);
  const shape = sizesOf(given.size, at);
  const strides = sizesOf(given.stride, at);
  if (storage === undefined) {
    return faulty('field-invalid', 'its storage is no storage reference', '', shape);
  }
  const spelled = given.dtype?.kind === 'global' ? given.dtype.use.name : undefined;
  const dtype = spelled === undefined ? storage.dtype : torchDtype(spelled);
  const label = dtype ?? spelled ?? storage.className;
  if (offset === undefined || offset < 0n || shape === undefined || strides === undefined) {
    return faulty('field-invalid', 'its offset, size or stride is not made of non-negative integers', label, shape);
  }
  if (strides.length !== shape.length) {
    return faulty('field-invalid', `it has ${shape.length} sizes but ${strides.length} strides`, label, shape);
  }
  const flags = viewFlags(given.metadata, at);
  if (flags === undefined) {
    return faulty('not-scanned', 'its metadata cannot be read, so the signs of its values are not known', label, shape);
  }
  return {
    kind: 'tensor',
    tensor: { storage, dtype: label, known: dtype !== undefined, offset, shape, strides, ...flags },
  };
};
