import type { PickleNode } from '../pickle/nodes.ts';
import { argumentsOf, flagOf, globalName, integerOf, itemsOf, sizesOf, textOfNode } from './read-node.ts';
import { storageClass, torchDtype } from './torch-dtypes.ts';

/** A storage as a pickle refers to it (FORMATS.md 2.4). */
export interface StorageReference {
  /** Name of its record, `data/<key>`. */
  readonly key: string;
  /** This program's dtype; undefined for raw bytes or an unknown class. */
  readonly dtype: string | undefined;
  /** Bytes one of its elements takes; undefined for an unknown class. */
  readonly elementBytes: number | undefined;
  /** Name of the class, as the pickle spells it. */
  readonly className: string;
  /** Elements it claims to have. */
  readonly elements: bigint;
}

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
}

/** What a node is, seen as a tensor. */
export type TensorReading =
  | { readonly kind: 'tensor'; readonly tensor: TorchTensor }
  /** Made by a rebuild function, but with arguments that make no sense or of a kind that is not decoded. */
  | { readonly kind: 'refused'; readonly why: string; readonly dtype: string; readonly shape: readonly bigint[] }
  /** A wrapper around another node that is the tensor. */
  | { readonly kind: 'inside'; readonly node: PickleNode }
  | { readonly kind: 'other' };

const OTHER: TensorReading = { kind: 'other' };

/** Rebuild functions whose first argument is the tensor they wrap. */
const WRAPPERS = new Set(['torch._utils._rebuild_parameter', 'torch._utils._rebuild_parameter_with_state']);

/** Rebuild functions of tensors that are not one dense storage: what they are, in words. */
const NOT_DENSE: ReadonlyMap<string, string> = new Map([
  ['torch._utils._rebuild_qtensor', 'a quantised tensor'],
  ['torch._utils._rebuild_sparse_tensor', 'a sparse tensor'],
  ['torch._utils._rebuild_sparse_csr_tensor', 'a sparse tensor'],
  ['torch._utils._rebuild_nested_tensor', 'a nested tensor'],
  ['torch._utils._rebuild_meta_tensor_no_storage', 'a meta tensor, of which the file holds no values'],
  ['torch._utils._rebuild_wrapper_subclass', 'a wrapper tensor, of which the file holds no values'],
  ['torch._utils._rebuild_device_tensor_from_numpy', 'a tensor out of a numpy array'],
  ['torch._utils._rebuild_xla_tensor', 'a tensor out of a numpy array'],
  ['torch._utils._rebuild_device_tensor_from_cpu_tensor', 'a device tensor'],
]);

/** The storage a persistent id names; undefined when the id is no storage's. */
export const storageOf = (node: PickleNode | undefined): StorageReference | undefined => {
  const [tag, type, key, , elements] = (node?.kind === 'persistent' ? itemsOf(node.id) : undefined) ?? [];
  const keyText = textOfNode(key);
  const count = integerOf(elements);
  if (textOfNode(tag) !== 'storage' || type?.kind !== 'global' || keyText === undefined || count === undefined) {
    return undefined;
  }
  const known = storageClass(type.use.name);
  return {
    key: keyText,
    dtype: known?.dtype,
    elementBytes: known?.bytes,
    className: type.use.name,
    elements: count,
  };
};

const refused = (why: string, dtype = '', shape: readonly bigint[] = []): TensorReading => ({
  kind: 'refused',
  why,
  dtype,
  shape,
});

interface DenseArguments {
  readonly storage: PickleNode | undefined;
  readonly offset: PickleNode | undefined;
  readonly size: PickleNode | undefined;
  readonly stride: PickleNode | undefined;
  /** Named dtype (v3); undefined where the storage's class tells. */
  readonly dtype: PickleNode | undefined;
  readonly metadata: PickleNode | undefined;
}

const readDense = (given: DenseArguments): TensorReading => {
  const storage = storageOf(given.storage);
  const offset = integerOf(given.offset);
  const shape = sizesOf(given.size);
  const strides = sizesOf(given.stride);
  if (storage === undefined) {
    return refused('its storage is no storage reference', '', shape);
  }
  const spelled = given.dtype?.kind === 'global' ? given.dtype.use.name : undefined;
  const dtype = spelled === undefined ? storage.dtype : torchDtype(spelled);
  const label = dtype ?? spelled ?? storage.className;
  if (offset === undefined || offset < 0n || shape === undefined || strides === undefined) {
    return refused('its offset, size or stride is not made of non-negative integers', label, shape);
  }
  if (strides.length !== shape.length) {
    return refused(`it has ${shape.length} sizes but ${strides.length} strides`, label, shape);
  }
  return {
    kind: 'tensor',
    tensor: {
      storage,
      dtype: label,
      known: dtype !== undefined,
      offset,
      shape,
      strides,
      conjugated: flagOf(given.metadata, 'conj'),
      negated: flagOf(given.metadata, 'neg'),
    },
  };
};

/** What a node is, seen as a tensor (rebuild functions of FORMATS.md 2.6). Looks one level deep. */
export const readTensor = (node: PickleNode): TensorReading => {
  if (node.kind !== 'call') {
    return OTHER;
  }
  const name = globalName(node.callee);
  const args = argumentsOf(node);
  const [storage, offset, size, stride] = args;
  switch (name) {
    case 'torch._utils._rebuild_tensor':
      return readDense({ storage, offset, size, stride, dtype: undefined, metadata: undefined });
    case 'torch._utils._rebuild_tensor_v2':
      return readDense({ storage, offset, size, stride, dtype: undefined, metadata: args[6] });
    case 'torch._utils._rebuild_tensor_v3':
      return readDense({ storage, offset, size, stride, dtype: args[6], metadata: args[7] });
    case 'torch._tensor._rebuild_from_type_v2':
    case 'torch.tensor._rebuild_from_type_v2':
      return readFromType(node, args);
    default: {
      const [inner] = args;
      if (name !== undefined && WRAPPERS.has(name) && inner !== undefined) {
        return { kind: 'inside', node: inner };
      }
      const what = name === undefined ? undefined : NOT_DENSE.get(name);
      return what === undefined ? OTHER : refused(`${what}; its values are not decoded`, '', sizesIn(args));
    }
  }
};

/** `(func, type, args, state)`: func is a rebuild function that has not been called yet. */
const readFromType = (node: PickleNode, [func, , args]: readonly PickleNode[]): TensorReading =>
  func === undefined || args === undefined
    ? refused('its arguments make no sense')
    : readTensor({
        kind: 'call',
        offset: node.offset,
        opcode: 'REDUCE',
        callee: func,
        args,
        kwargs: undefined,
        added: undefined,
      });

/** The shape among arguments, for a tensor that is only listed. */
const sizesIn = (args: readonly PickleNode[]): readonly bigint[] =>
  args.map(sizesOf).find((sizes) => sizes !== undefined && sizes.length > 0) ?? [];
