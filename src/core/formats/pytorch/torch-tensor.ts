import type { FindingCode } from '../../../shared/findings.ts';
import type { CallNode, PickleNode } from '../pickle/nodes.ts';
import { argumentsOf, entriesOf, globalName, integerOf, itemsOf, sizesOf, textOfNode } from './read-node.ts';
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
  /** It is part of the storage `key`: from this element, so many of them (legacy files alone). */
  readonly part: { readonly offset: bigint; readonly elements: bigint } | undefined;
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
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly dtype: string;
      readonly shape: readonly bigint[];
      /** Of a fault rather than of a kind that is merely not decoded. */
      readonly code?: FindingCode;
    }
  /** A wrapper around another node that is the tensor. */
  | { readonly kind: 'inside'; readonly node: PickleNode }
  /** Several dense tensors that together stand for one: listed as its parts, never joined. */
  | { readonly kind: 'parts'; readonly parts: readonly TensorPart[] }
  | { readonly kind: 'other' };

/** One of the tensors that a sparse, quantised or nested one is made of. */
export interface TensorPart {
  /** As torch calls it: `indices`, `values`, `int_repr`, `scales`, … */
  readonly name: string;
  readonly content: PickleNode | TensorReading;
}

const OTHER: TensorReading = { kind: 'other' };

/** Functions that hand on their first argument, a tensor or a container of TorchScript. */
const WRAPPERS = new Set([
  'torch._utils._rebuild_parameter',
  'torch._utils._rebuild_parameter_with_state',
  'torch.jit._pickle.restore_type_tag',
  'torch.jit._pickle.build_tensorlist',
]);

/** Rebuild functions of tensors that are listed only: what they are, in words. */
const NOT_DECODED: ReadonlyMap<string, string> = new Map([
  ['torch._utils._rebuild_meta_tensor_no_storage', 'a meta tensor, of which the file holds no values'],
  ['torch._utils._rebuild_wrapper_subclass', 'a wrapper tensor, of which the file holds no values'],
  ['torch._utils._rebuild_device_tensor_from_numpy', 'a tensor out of a numpy array'],
  ['torch._utils._rebuild_xla_tensor', 'a tensor out of a numpy array'],
  ['torch._utils._rebuild_device_tensor_from_cpu_tensor', 'a device tensor'],
]);

const refused = (why: string, dtype = '', shape: readonly bigint[] = []): TensorReading => ({
  kind: 'refused',
  why,
  dtype,
  shape,
});

/** As {@link refused}, for what no sound file holds. */
const faulty = (code: FindingCode, why: string, dtype = '', shape: readonly bigint[] = []): TensorReading => ({
  kind: 'refused',
  why,
  dtype,
  shape,
  code,
});

const named = (names: readonly string[], nodes: readonly PickleNode[]): TensorReading => ({
  kind: 'parts',
  parts: names.flatMap((name, index) => {
    const content = nodes[index];
    return content === undefined ? [] : [{ name, content }];
  }),
});

/** Names of a sparse layout's parts, in the order of its data (FORMATS.md 2.6). */
const SPARSE_PARTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['torch.sparse_coo', ['indices', 'values']],
  ['torch.sparse_csr', ['crow_indices', 'col_indices', 'values']],
  ['torch.sparse_bsr', ['crow_indices', 'col_indices', 'values']],
  ['torch.sparse_csc', ['ccol_indices', 'row_indices', 'values']],
  ['torch.sparse_bsc', ['ccol_indices', 'row_indices', 'values']],
]);

const readSparse = ([layout, data]: readonly PickleNode[]): TensorReading => {
  const spelled = layout?.kind === 'call' ? textOfNode(argumentsOf(layout)[0]) : undefined;
  const names = spelled === undefined ? undefined : SPARSE_PARTS.get(spelled);
  const parts = itemsOf(data);
  return names === undefined || parts === undefined
    ? refused('a sparse tensor of a layout that is not known')
    : named(names, parts);
};

/** Quantised tensors are their stored integers, and the numbers that give them their meaning. */
const readQuantised = ([storage, offset, size, stride, quantiser]: readonly PickleNode[]): TensorReading => {
  const integers = readDense({ storage, offset, size, stride, dtype: undefined, metadata: undefined });
  const [scheme, scales, zeroPoints] = itemsOf(quantiser) ?? [];
  const perChannel = globalName(scheme)?.startsWith('torch.per_channel') === true;
  const others =
    perChannel && scales !== undefined && zeroPoints !== undefined
      ? [
          { name: 'scales', content: scales },
          { name: 'zero_points', content: zeroPoints },
        ]
      : [];
  return { kind: 'parts', parts: [{ name: 'int_repr', content: integers }, ...others] };
};

/** View metadata of a legacy id: `(view_key, offset, view_numel)` in elements, or None (FORMATS.md 2.4). */
const partOf = (view: PickleNode | undefined): StorageReference['part'] => {
  const [, offset, elements] = itemsOf(view)?.map(integerOf) ?? [];
  return offset === undefined || elements === undefined ? undefined : { offset, elements };
};

/** The storage a persistent id names; undefined when the id is no storage's. */
export const storageOf = (node: PickleNode | undefined): StorageReference | undefined => {
  const [tag, type, key, , elements, view] = (node?.kind === 'persistent' ? itemsOf(node.id) : undefined) ?? [];
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
    part: partOf(view),
  };
};

interface DenseArguments {
  readonly storage: PickleNode | undefined;
  readonly offset: PickleNode | undefined;
  readonly size: PickleNode | undefined;
  readonly stride: PickleNode | undefined;
  /** Named dtype (v3); undefined where the storage's class tells. */
  readonly dtype: PickleNode | undefined;
  readonly metadata: PickleNode | undefined;
}

/** `conj` and `neg` of a tensor's metadata, which may be left out; undefined where they are no plain truth values. */
const viewFlags = (metadata: PickleNode | undefined): Pick<TorchTensor, 'conjugated' | 'negated'> | undefined => {
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
  return entries === undefined ? undefined : { conjugated: flags.conj, negated: flags.neg };
};

const readDense = (given: DenseArguments): TensorReading => {
  const storage = storageOf(given.storage);
  const offset = integerOf(given.offset);
  const shape = sizesOf(given.size);
  const strides = sizesOf(given.stride);
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
  const flags = viewFlags(given.metadata);
  if (flags === undefined) {
    return faulty('not-scanned', 'its metadata cannot be read, so the signs of its values are not known', label, shape);
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
      ...flags,
    },
  };
};

/**
 * What a node is, seen as a tensor (rebuild functions of FORMATS.md 2.6). Looks one level deep. A tensor that is changed after
 * it was made (`__setstate__`, items) has values of which the rebuild arguments say nothing: it is refused.
 */
export const readTensor = (node: PickleNode): TensorReading => {
  if (node.kind !== 'call') {
    return OTHER;
  }
  const reading = readCall(node);
  const { added } = node;
  const isChanged = added !== undefined && added.states.length + added.items.length + added.keys.length > 0;
  return reading.kind === 'tensor' && isChanged
    ? faulty('not-scanned', 'the pickle changes it after it is made', reading.tensor.dtype, reading.tensor.shape)
    : reading;
};

const readCall = (node: CallNode): TensorReading => {
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
    case 'torch._utils._rebuild_sparse_tensor':
    case 'torch._utils._rebuild_sparse_csr_tensor':
      return readSparse(args);
    case 'torch._utils._rebuild_qtensor':
      return readQuantised(args);
    case 'torch._utils._rebuild_nested_tensor':
      return named(['buffer', 'sizes', 'strides', 'storage_offsets'], args);
    default: {
      const [inner] = args;
      if (name !== undefined && WRAPPERS.has(name) && inner !== undefined) {
        return { kind: 'inside', node: inner };
      }
      const what = name === undefined ? undefined : NOT_DECODED.get(name);
      return what === undefined ? OTHER : refused(`${what}; its values are not decoded`, '', sizesIn(args));
    }
  }
};

const FROM_TYPE = new Set(['torch._tensor._rebuild_from_type_v2', 'torch.tensor._rebuild_from_type_v2']);

/** `(func, type, args, state)`: func is a rebuild function that has not been called yet, never this one again. */
const readFromType = (node: PickleNode, [func, , args, state]: readonly PickleNode[]): TensorReading => {
  if (func === undefined || args === undefined || FROM_TYPE.has(globalName(func) ?? '')) {
    return faulty('field-invalid', 'its arguments make no sense');
  }
  const parts = state?.kind === 'tuple' ? state.items : [state];
  if (parts.some((part) => entriesOf(part)?.some(({ key }) => textOfNode(key) === 'data') === true)) {
    return faulty('not-scanned', 'the pickle changes it after it is made');
  }
  return readCall({
    kind: 'call',
    offset: node.offset,
    opcode: 'REDUCE',
    callee: func,
    args,
    kwargs: undefined,
    added: undefined,
  });
};

/** The shape among arguments, for a tensor that is only listed. */
const sizesIn = (args: readonly PickleNode[]): readonly bigint[] =>
  args.map(sizesOf).find((sizes) => sizes !== undefined && sizes.length > 0) ?? [];
