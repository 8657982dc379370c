import type { CallNode, PickleNode } from '../pickle/nodes.ts';
import { readNested, readSparse } from './composite-tensors.ts';
import { readDense } from './dense-tensor.ts';
import type { NestedStorages } from './nested-storages.ts';
import { readNumpy } from './numpy-array.ts';
import { readOldTensor } from './old-tensors.ts';
import { readQuantised } from './quantised-tensor.ts';
import { argumentsOf, entriesOf, globalName, sizesOf, textOfNode } from './read-node.ts';
import { faulty, OTHER, refused, type TensorReading } from './tensor-reading.ts';
import { torchDtype } from './torch-dtypes.ts';

/** Functions that hand on their first argument, a tensor. */
const PARAMETERS = new Set(['torch._utils._rebuild_parameter', 'torch._utils._rebuild_parameter_with_state']);

/** As {@link PARAMETERS}, also for a container of TorchScript. */
const WRAPPERS = new Set([...PARAMETERS, 'torch.jit._pickle.restore_type_tag', 'torch.jit._pickle.build_tensorlist']);

/** Functions that convert their first argument, a numpy array or a tensor, to their second, a dtype. */
const CONVERTERS = new Set([
  'torch._utils._rebuild_device_tensor_from_numpy',
  'torch._utils._rebuild_xla_tensor',
  'torch._utils._rebuild_device_tensor_from_cpu_tensor',
]);

/** Rebuild functions of tensors that are listed only: what they are, in words. */
const NOT_DECODED: ReadonlyMap<string, string> = new Map([
  ['torch._utils._rebuild_meta_tensor_no_storage', 'a meta tensor, of which the file holds no values'],
  ['torch._utils._rebuild_wrapper_subclass', 'a wrapper tensor, of which the file holds no values'],
]);

const FROM_TYPE = new Set(['torch._tensor._rebuild_from_type_v2', 'torch.tensor._rebuild_from_type_v2']);

/** The shape among arguments, for a tensor that is only listed. */
const sizesIn = (args: readonly PickleNode[]): readonly bigint[] =>
  args.map((node) => sizesOf(node)).find((sizes) => sizes !== undefined && sizes.length > 0) ?? [];

/**
 * What a node is, seen as a tensor (rebuild functions of FORMATS.md 2.6, numpy of 2.7). Looks one level deep. A tensor that is
 * changed after it was made (`__setstate__`, items) has values of which the rebuild arguments say nothing: it is refused.
 */
export const readTensor = (node: PickleNode, nested: NestedStorages): TensorReading => {
  if (node.kind !== 'call') {
    return OTHER;
  }
  const old = readOldTensor(node, nested);
  if (old !== undefined) {
    return old;
  }
  const reading = readCall(node, nested);
  const { added } = node;
  const isChanged = added !== undefined && added.states.length + added.items.length + added.keys.length > 0;
  const isTensor =
    reading.kind === 'tensor' || reading.kind === 'parts' || PARAMETERS.has(globalName(node.callee) ?? '');
  if (!isChanged || !isTensor) {
    return reading;
  }
  const { dtype = '', shape = [] } = reading.kind === 'tensor' ? reading.tensor : {};
  return faulty('not-scanned', 'the pickle changes it after it is made', dtype, shape);
};

/** The rebuild functions of dense tensors; undefined for any other call. */
const readDenseCall = (node: CallNode, nested: NestedStorages): TensorReading | undefined => {
  const args = argumentsOf(node);
  const [storage, offset, size, stride] = args;
  const dense = { storage, offset, size, stride };
  switch (globalName(node.callee)) {
    case 'torch._utils._rebuild_tensor':
      return readDense(dense, node.offset, nested);
    case 'torch._utils._rebuild_tensor_v2':
      return readDense({ ...dense, metadata: args[6] }, node.offset, nested);
    case 'torch._utils._rebuild_tensor_v3':
      return readDense({ ...dense, dtype: args[6], metadata: args[7] }, node.offset, nested);
    default:
      return undefined;
  }
};

/** A dense tensor or an array as it was made, nothing around it: parts of others are read so, which nest no deeper. */
const readFlat = (node: PickleNode, nested: NestedStorages): TensorReading => {
  const plain = node.kind === 'call' && (node.added === undefined || node.added.states.length === 1);
  if (!plain) {
    return OTHER;
  }
  const numpy = readNumpy(node);
  return (node.added === undefined ? readDenseCall(node, nested) : undefined) ?? numpy ?? OTHER;
};

const readCall = (node: CallNode, nested: NestedStorages): TensorReading => {
  const name = globalName(node.callee);
  const args = argumentsOf(node);
  const at = node.offset;
  switch (name) {
    case 'torch._tensor._rebuild_from_type_v2':
    case 'torch.tensor._rebuild_from_type_v2':
      return readFromType(node, args, nested);
    case 'torch._utils._rebuild_sparse_tensor':
    case 'torch._utils._rebuild_sparse_csr_tensor':
      return readSparse(args, at);
    case 'torch._utils._rebuild_qtensor':
      return readQuantised(args, at, nested, (part) => readFlat(part, nested));
    case 'torch._utils._rebuild_nested_tensor':
      return readNested(args);
    default:
      return readDenseCall(node, nested) ?? readOther(node, name, args, nested);
  }
};

const readOther = (
  node: CallNode,
  name: string | undefined,
  args: readonly PickleNode[],
  nested: NestedStorages,
): TensorReading => {
  const [inner, dtype] = args;
  if (name === undefined || inner === undefined) {
    return OTHER;
  }
  if (WRAPPERS.has(name)) {
    return { kind: 'inside', node: inner };
  }
  if (CONVERTERS.has(name)) {
    return readConverted(inner, dtype, nested);
  }
  const what = NOT_DECODED.get(name);
  return what === undefined
    ? (readNumpy(node) ?? OTHER)
    : refused(`${what}; its values are not decoded`, '', sizesIn(args));
};

/** A tensor that was stored as another or as a numpy array, which holds its values only where the dtype is the same. */
const readConverted = (inner: PickleNode, dtype: PickleNode | undefined, nested: NestedStorages): TensorReading => {
  const stored = readFlat(inner, nested);
  const wanted = dtype?.kind === 'global' ? torchDtype(dtype.use.name) : undefined;
  const { dtype: has, shape } = stored.kind === 'array' ? stored.array : stored.kind === 'tensor' ? stored.tensor : {};
  if (wanted !== undefined && wanted === has) {
    return { kind: 'inside', node: inner };
  }
  const label = dtype?.kind === 'global' ? (wanted ?? dtype.use.name) : '';
  return refused(`it is stored as ${has ?? 'something'} to be converted when it is loaded`, label, shape ?? []);
};

/** `(func, type, args, state)`: func is a rebuild function that has not been called yet, never this one again. */
const readFromType = (
  node: CallNode,
  [func, , args, state]: readonly PickleNode[],
  nested: NestedStorages,
): TensorReading => {
  if (func === undefined || args === undefined || FROM_TYPE.has(globalName(func) ?? '')) {
    return faulty('field-invalid', 'its arguments make no sense');
  }
  const parts = state?.kind === 'tuple' ? state.items : [state];
  if (parts.some((part) => entriesOf(part)?.some(({ key }) => textOfNode(key) === 'data') === true)) {
    return faulty('not-scanned', 'the pickle changes it after it is made');
  }
  const { offset } = node;
  return readCall(
    { kind: 'call', offset, opcode: 'REDUCE', callee: func, args, kwargs: undefined, added: undefined },
    nested,
  );
};
