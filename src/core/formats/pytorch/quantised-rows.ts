import { formatInt } from '../../../shared/format-number.ts';
import { elementCount } from '../../checked-arithmetic.ts';
import { dtypeInfo } from '../../dtypes/dtype-table.ts';
import { integerRange, storedOfQuantised } from '../../dtypes/quantised-dtypes.ts';
import { CheckpointError } from '../../errors.ts';
import type { Quantisation } from '../../tensor/quantisation.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { TensorTable } from '../../tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import type { Quantiser, QuantiserNumbers, TorchTensor } from './dense-tensor.ts';
import { measureFit } from './measure-fit.ts';
import { addPlaced, ints, isContiguous, placeOf, type Refusal, type RowContext } from './row-context.ts';

/** Channels of all quantised tensors of a file whose scales are put in memory: 16 bytes each. */
const MOST_CHANNELS = 8_000_000;

type Refused = Pick<Refusal, 'code' | 'why'>;

const invalid = (why: string): Refused => ({ code: 'field-invalid', why });

/** The numbers of a tensor of one dimension, read out of the file. */
const readNumbers = async (context: RowContext, tensor: TorchTensor): Promise<readonly number[] | Refused> => {
  const storage = placeOf(context, tensor.storage);
  const info = dtypeInfo(tensor.dtype);
  if ('problem' in storage || info === undefined || info.components !== 1 || !tensor.known) {
    return { why: 'its scales or zero points cannot be read' };
  }
  const fitted = measureFit(tensor, storage, info.bits);
  if ('why' in fitted) {
    return { ...fitted, why: `of its scales or zero points: ${fitted.why}` };
  }
  const table = new TensorTableBuilder(['']);
  const { dtype, negated, conjugated } = tensor;
  const bigEndian = context.bigEndian && tensor.storage.inside === undefined;
  addPlaced({ ...context, table }, { name: '', dtype, negated, conjugated, bigEndian }, storage, fitted);
  try {
    const scratch = new Tensor(new TensorTable(table.finish()), 0, context.sourceOf(storage.file));
    return (await scratch.exactValues()).map(Number);
  } catch (fault) {
    // A compressed member that is not what it says.
    if (!(fault instanceof CheckpointError)) {
      throw fault;
    }
    return { why: `its scales or zero points cannot be read: ${fault.finding.message}` };
  }
};

/** One number a channel, or why they cannot be had. */
const numbersFor = async (
  context: RowContext,
  numbers: QuantiserNumbers,
  channels: number,
): Promise<readonly number[] | Refused> => {
  const shape = numbers.kind === 'list' ? [BigInt(numbers.values.length)] : numbers.tensor.shape;
  if (shape.length !== 1 || shape[0] !== BigInt(channels)) {
    return invalid(`it has ${formatInt(channels)} channels, its scales or zero points the shape [${shape.join(', ')}]`);
  }
  return numbers.kind === 'list' ? numbers.values : readNumbers(context, numbers.tensor);
};

const isFloat = (numbers: QuantiserNumbers): boolean =>
  numbers.kind === 'list' ? numbers.float : dtypeInfo(numbers.tensor.dtype)?.kind === 'float';

/**
 * Reads what a quantised tensor's integers stand for. torch has two kinds of channels under one name: by floats where the
 * zero points are floats, else by integers that the dtype can hold (FORMATS.md 2.6).
 *
 * @throws whatever the source's reads throw.
 */
export const resolveQuantiser = async (
  context: RowContext,
  tensor: TorchTensor,
  quantiser: Quantiser,
): Promise<Quantisation | Refused> => {
  const { dtype, shape } = tensor;
  const stored = storedOfQuantised(dtype);
  if (stored === undefined) {
    return invalid('its storage is of no quantised class');
  }
  const [least, greatest] = integerRange(stored);
  const outside = (zeroPoint: number): boolean =>
    !Number.isInteger(zeroPoint) || zeroPoint < least || zeroPoint > greatest;
  if (quantiser.scheme === 'tensor') {
    const zeroPoint = Number(quantiser.zeroPoint);
    return outside(zeroPoint)
      ? invalid(`its zero point ${quantiser.zeroPoint} is none that ${dtype} has`)
      : {
          dtype,
          scheme: 'tensor',
          axis: 0,
          scales: Float64Array.of(quantiser.scale),
          zeroPoints: Float64Array.of(zeroPoint),
        };
  }
  const axis = Number(quantiser.axis);
  const channels = Number(shape[axis] ?? -1n);
  if (axis < 0 || axis >= shape.length) {
    return invalid(`its channels are those of dimension ${quantiser.axis}, and it has ${shape.length} dimensions`);
  }
  if (channels > MOST_CHANNELS - context.budget.channels) {
    return { why: `the file has over ${formatInt(MOST_CHANNELS)} channels with a scale of their own` };
  }
  context.budget.channels += channels;
  const scales = await numbersFor(context, quantiser.scales, channels);
  const zeroPoints = await numbersFor(context, quantiser.zeroPoints, channels);
  if ('why' in scales || 'why' in zeroPoints) {
    return 'why' in scales ? scales : (zeroPoints as Refused);
  }
  const float = isFloat(quantiser.zeroPoints);
  if (!float && zeroPoints.some(outside)) {
    return invalid(`some of its zero points are none that ${dtype} has`);
  }
  return {
    dtype,
    scheme: float ? 'float-channels' : 'channels',
    axis,
    scales: Float64Array.from(scales),
    zeroPoints: Float64Array.from(zeroPoints),
  };
};

/** Why packed elements cannot be told apart; undefined when they can: only one after the other, from the first. */
export const packedProblem = ({ shape, strides, offset, dtype }: TorchTensor): string | undefined => {
  const bits = storedOfQuantised(dtype)?.bits ?? 8;
  const sizes = ints(shape);
  const plain = offset === 0n && (elementCount(sizes) === 0 || isContiguous(sizes.map(Number), strides.map(Number)));
  return bits >= 8 || plain ? undefined : 'it is a view of elements that share bytes, which is not decoded';
};
