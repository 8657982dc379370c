import { storedOfQuantised } from '../../dtypes/quantised-dtypes.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import { type Quantiser, type QuantiserNumbers, readDense } from './dense-tensor.ts';
import type { NestedStorages } from './nested-storages.ts';
import { globalName, integerOf, isSettled, itemsOf } from './read-node.ts';
import { faulty, type TensorPart, type TensorReading } from './tensor-reading.ts';

/** Schemes by their names; torch writes `per_channel_affine` for all that have channels (FORMATS.md 2.6). */
const SCHEMES: ReadonlyMap<string, Quantiser['scheme']> = new Map([
  ['torch.per_tensor_affine', 'tensor'],
  ['torch.per_channel_affine', 'channels'],
  ['torch.per_channel_affine_float_qparams', 'channels'],
]);

const numberOf = (node: PickleNode | undefined): number | undefined =>
  node?.kind === 'float' || node?.kind === 'int' ? Number(node.value) : undefined;

/** Scales or zero points of channels: a tensor, or a list of numbers. */
const numbersOf = (
  node: PickleNode | undefined,
  at: number,
  read: (node: PickleNode) => TensorReading,
): QuantiserNumbers | undefined => {
  if (node?.kind === 'list') {
    const values = node.items.map(numberOf);
    const whole = values.every((value): value is number => value !== undefined) && isSettled(node, at);
    return whole ? { kind: 'list', values, float: node.items.some(({ kind }) => kind === 'float') } : undefined;
  }
  const reading = node === undefined ? undefined : read(node);
  return reading?.kind === 'tensor' ? { kind: 'tensor', tensor: reading.tensor } : undefined;
};

const readQuantiser = (
  node: PickleNode | undefined,
  at: number,
  read: (node: PickleNode) => TensorReading,
): Quantiser | undefined => {
  const [tag, first, second, axisNode] = isSettled(node, at) ? (itemsOf(node) ?? []) : [];
  const scheme = SCHEMES.get(globalName(tag) ?? '');
  if (scheme === 'tensor') {
    const scale = numberOf(first);
    const zeroPoint = integerOf(second);
    return scale === undefined || zeroPoint === undefined ? undefined : { scheme, scale, zeroPoint };
  }
  const scales = numbersOf(first, at, read);
  const zeroPoints = numbersOf(second, at, read);
  const axis = integerOf(axisNode);
  return scheme === undefined || scales === undefined || zeroPoints === undefined || axis === undefined
    ? undefined
    : { scheme, scales, zeroPoints, axis };
};

/**
 * `_rebuild_qtensor(storage, offset, size, stride, quantiser, …)`: the tensor, and beside it the tensors of scales and zero
 * points, which are tensors of the file too.
 *
 * @param at byte of the opcode that calls it.
 * @param read reads a node as a tensor.
 */
export const readQuantised = (
  [storage, offset, size, stride, quantiserNode]: readonly PickleNode[],
  at: number,
  nested: NestedStorages,
  read: (node: PickleNode) => TensorReading,
): TensorReading => {
  const integers = readDense({ storage, offset, size, stride }, at, nested);
  if (integers.kind !== 'tensor') {
    return integers;
  }
  const { tensor } = integers;
  const { dtype, shape } = tensor;
  if (storedOfQuantised(dtype) === undefined) {
    return faulty('field-invalid', 'it is quantised, but its storage is of no quantised class', dtype, shape);
  }
  const quantiser = readQuantiser(quantiserNode, at, read);
  if (quantiser === undefined) {
    return faulty('field-invalid', 'what its integers stand for cannot be read', dtype, shape);
  }
  const [, scales, zeroPoints] = itemsOf(quantiserNode) ?? [];
  const others: readonly TensorPart[] =
    quantiser.scheme === 'channels'
      ? [
          ...(quantiser.scales.kind === 'tensor' && scales !== undefined ? [{ name: 'scales', content: scales }] : []),
          ...(quantiser.zeroPoints.kind === 'tensor' && zeroPoints !== undefined
            ? [{ name: 'zero_points', content: zeroPoints }]
            : []),
        ]
      : [];
  return {
    kind: 'parts',
    parts: [{ name: '', content: { ...integers, tensor: { ...tensor, quantiser } } }, ...others],
  };
};
