import { createHash } from 'node:crypto';
import { DeadLineFinder, type DeadLines, matrixView } from '../../core/audit/dead-lines.ts';
import { type FirstNonFinite, NonFiniteFinder } from '../../core/audit/non-finite.ts';
import type { ByteSource } from '../../core/bytes/byte-source.ts';
import { readInto } from '../../core/bytes/checked-read.ts';
import { repeats } from '../../core/distribution/tensor-distribution.ts';
import type { Tensor } from '../../core/tensor/tensor.ts';
import { CancelledError } from '../../shared/errors.ts';
import type { TaskControl } from './task-control.ts';

/** Bytes read at once. */
const WINDOW_BYTES = 1024 * 1024;

const stopIfCancelled = (control: TaskControl): void => {
  if (control.cancelled) {
    throw new CancelledError('the scan');
  }
};

/** The place in row-major order of an element found in a slice that leaves out repetitions, which only come later. */
const inWholeShape = (element: number, sizes: readonly number[], whole: readonly number[]): number => {
  let rest = element;
  let place = 0;
  let stride = 1;
  for (let at = sizes.length - 1; at >= 0; at -= 1) {
    const size = sizes[at] ?? 1;
    place += (rest % size) * stride;
    rest = Math.floor(rest / size);
    stride *= whole[at] ?? 1;
  }
  return place;
};

/**
 * Finds the first NaN and the first infinity of a tensor. Stops as soon as those wanted are found.
 *
 * @throws UnreadableTensorError; FileChangedError; CancelledError
 */
export const locateNonFinite = async (
  tensor: Tensor,
  wanted: { readonly nan: boolean; readonly infinity: boolean },
  control: TaskControl,
): Promise<FirstNonFinite> => {
  const finder = new NonFiniteFinder(tensor.info, wanted);
  const { slice } = repeats(tensor);
  const selected = tensor.select({ slice });
  for await (const chunk of selected.chunks()) {
    stopIfCancelled(control);
    finder.add(chunk);
    if (finder.done) {
      break;
    }
  }
  const whole = tensor.shape.map(Number);
  const place = (element: number): number => inWholeShape(element, selected.shape, whole);
  const { nan, infinity } = finder.first;
  return {
    ...(nan === undefined ? {} : { nan: place(nan) }),
    ...(infinity === undefined ? {} : { infinity: place(infinity) }),
  };
};

/**
 * Finds the rows and columns of zeros of a float tensor.
 *
 * @throws UnreadableTensorError; RangeError when the shape is no matrix; FileChangedError; CancelledError
 */
export const findDeadLines = async (tensor: Tensor, control: TaskControl): Promise<DeadLines> => {
  const view = matrixView(tensor.shape.map(Number));
  if (view === undefined) {
    throw new RangeError('only a matrix has rows and columns');
  }
  const finder = new DeadLineFinder(tensor.info, view);
  for await (const chunk of tensor.select().chunks()) {
    stopIfCancelled(control);
    finder.add(chunk);
    control.advance(chunk.bytes.byteLength);
  }
  return finder.lines;
};

/** SHA-256 of a tensor's bytes in logical order. @throws UnreadableTensorError; FileChangedError; CancelledError */
export const hashOfTensor = async (tensor: Tensor, control: TaskControl): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of tensor.rawPieces(WINDOW_BYTES)) {
    stopIfCancelled(control);
    hash.update(bytes);
    control.advance(bytes.byteLength);
  }
  return hash.digest('hex');
};

/** SHA-256 of all bytes of a source. @throws FileChangedError; CancelledError; what the source's reads throw. */
export const hashOfSource = async (source: ByteSource, control: TaskControl): Promise<string> => {
  const hash = createHash('sha256');
  const window = new Uint8Array(Math.min(WINDOW_BYTES, source.size));
  for (let at = 0; at < source.size; at += window.byteLength) {
    stopIfCancelled(control);
    const piece = window.subarray(0, source.size - at);
    await readInto(source, at, piece);
    hash.update(piece);
    control.advance(piece.byteLength);
  }
  return hash.digest('hex');
};
