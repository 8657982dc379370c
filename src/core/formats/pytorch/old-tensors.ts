import type { CallNode, PickleNode } from '../pickle/nodes.ts';
import { readDense } from './dense-tensor.ts';
import type { NestedStorages } from './nested-storages.ts';
import { argumentsOf, globalName, isSettled, itemsOf } from './read-node.ts';
import { faulty, type TensorReading } from './tensor-reading.ts';

/** Classes of tensors, dense and sparse, by element (FORMATS.md 2.8, 2.9). */
const TENSOR_CLASS =
  /^torch\.(?:cuda\.)?(?:BFloat16|Bool|Byte|Char|Double|Float|Half|Int|Long|Short)Tensor$|^torch\.(?:_tensor\.)?Tensor$/;
/** Classes of tensors that are parameters, and what they were called before. */
const PARAMETER_CLASSES = new Set([
  'torch.nn.parameter.Parameter',
  'torch.nn.parameter.Buffer',
  'torch.autograd.variable.Variable',
]);

/** A state that says nothing about the values: `(requires_grad, _, hooks)`. */
const LATER_STATE = 3;
/** `(data, _, hooks, requires_grad, _)`, of variables and parameters. */
const VARIABLE_STATE = 5;
/** `(storage, offset, size, stride)`. */
const TENSOR_STATE = 4;

/**
 * A tensor that is made of its class and then given its content by BUILD, as torch wrote them before 0.4 (FORMATS.md 2.8);
 * undefined for anything else.
 */
export const readOldTensor = (node: CallNode, nested: NestedStorages): TensorReading | undefined => {
  const name = globalName(node.callee) ?? '';
  const isParameter = PARAMETER_CLASSES.has(name);
  if (!isParameter && !TENSOR_CLASS.test(name)) {
    return undefined;
  }
  const [data] = argumentsOf(node);
  const { added } = node;
  const [state, ...others] = added?.states ?? [];
  if (added === undefined || (others.length === 0 && state === undefined)) {
    return isParameter && data !== undefined ? { kind: 'inside', node: data } : undefined;
  }
  const items = stateItems(state, added.changedAt);
  if (others.length > 0 || added.items.length + added.keys.length > 0 || items === undefined) {
    return faulty('not-scanned', 'the pickle changes it after it is made');
  }
  const [first, offset, size, stride] = items;
  if (items.length === TENSOR_STATE && data === undefined) {
    return readDense({ storage: first, offset, size, stride }, added.changedAt, nested);
  }
  if (items.length === VARIABLE_STATE && first !== undefined && data === undefined) {
    return { kind: 'inside', node: first };
  }
  return items.length === LATER_STATE && isParameter && data !== undefined
    ? { kind: 'inside', node: data }
    : faulty('field-invalid', 'its state is not one that torch writes');
};

const stateItems = (state: PickleNode | undefined, at: number): readonly PickleNode[] | undefined =>
  isSettled(state, at) ? itemsOf(state) : undefined;
