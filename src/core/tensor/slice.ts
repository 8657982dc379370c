import type { Int } from '../../shared/checkpoint-types.ts';
import { SliceError } from '../errors.ts';
import { rowMajorStrides } from './strided-layout.ts';

/** One dimension of a slice as it was asked for: an index, or `start:stop:step` with parts left out. */
export type SliceItem =
  | { readonly index: number }
  | { readonly start?: number | undefined; readonly stop?: number | undefined; readonly step?: number | undefined };

/** One dimension of a slice after it met its shape: `count` elements from `start`, `step` apart (never 0). */
export interface Picked {
  readonly start: number;
  readonly count: number;
  readonly step: number;
  /** An integer index: the dimension is gone from the result. */
  readonly dropped: boolean;
}

/** Trimmed text; no two runs of spaces side by side, so that matching takes a single pass. */
const ITEM = /^(?:([+-]?\d+)|(?:([+-]?\d+)\s*)?:\s*(?:([+-]?\d+)\s*)?(?::\s*([+-]?\d+)?)?)$/;

const integer = (text: string | undefined): number | undefined => {
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new SliceError(`${text} is too large for an index`);
  }
  return value;
};

/**
 * Reads a slice as it is written on the command line, such as `0,:,::2`; outer brackets are allowed.
 *
 * @throws SliceError when the text is no slice.
 */
export const parseSlice = (text: string): SliceItem[] => {
  const inner = text.trim().replace(/^\[(.*)\]$/s, '$1');
  if (inner.trim() === '') {
    return [];
  }
  return inner.split(',').map((part) => {
    const match = ITEM.exec(part.trim());
    if (match === null) {
      throw new SliceError(`"${part.trim()}" is no index and no start:stop:step`, { slice: text });
    }
    const index = integer(match[1]);
    return index === undefined
      ? { start: integer(match[2]), stop: integer(match[3]), step: integer(match[4]) }
      : { index };
  });
};

const pickIndex = (index: number, size: number, dimension: number): Picked => {
  const start = index < 0 ? index + size : index;
  if (start < 0 || start >= size) {
    throw new SliceError(`index ${index} is outside dimension ${dimension}, which has ${size} elements`, {
      index,
      dimension,
      size,
    });
  }
  return { start, count: 1, step: 1, dropped: true };
};

/** As numpy and Python do it: out-of-range bounds are clipped, negative ones count from the end. */
const pickRange = (item: Exclude<SliceItem, { index: number }>, size: number, dimension: number): Picked => {
  const step = item.step ?? 1;
  if (step === 0) {
    throw new SliceError(`the step of dimension ${dimension} is 0`, { dimension });
  }
  const low = step > 0 ? 0 : -1;
  const high = step > 0 ? size : size - 1;
  const bound = (value: number | undefined, fallback: number): number =>
    value === undefined ? fallback : Math.min(Math.max(value < 0 ? value + size : value, low), high);
  const start = bound(item.start, step > 0 ? low : high);
  const stop = bound(item.stop, step > 0 ? high : low);
  const count = Math.max(Math.ceil((stop - start) / step), 0);
  return { start, count, step, dropped: false };
};

/**
 * Fits a slice to a shape; dimensions not named are taken whole.
 *
 * @throws SliceError for more items than dimensions, an index outside its dimension, or a step of 0.
 */
export const pickSlice = (items: readonly SliceItem[], shape: readonly Int[]): Picked[] => {
  if (items.length > shape.length) {
    throw new SliceError(`the slice has ${items.length} dimensions, the tensor ${shape.length}`);
  }
  return shape.map((dimension, index) => {
    const size = Number(dimension);
    const item = items[index] ?? {};
    return 'index' in item ? pickIndex(item.index, size, index) : pickRange(item, size, index);
  });
};

/** Shape of what a slice yields. */
export const pickedShape = (picked: readonly Picked[]): number[] =>
  picked.filter(({ dropped }) => !dropped).map(({ count }) => count);

/** A run of elements, `count` of them from flat index `start`, `step` elements apart (may be negative). */
export interface ElementRun {
  readonly start: number;
  readonly count: number;
  readonly step: number;
}

/**
 * The runs of elements a slice consists of, in result order, by their places in the storage. Trailing dimensions that are
 * taken whole and lie together are joined into one run, so a slice of whole rows is a handful of runs.
 *
 * @param strides in elements, a dimension each; row-major when left out. 0 repeats an element: such a run has step 0.
 * @param first place of element [0, 0, …].
 */
export function* sliceRuns(
  picked: readonly Picked[],
  shape: readonly Int[],
  strides: readonly number[] = rowMajorStrides(shape.map(Number)),
  first = 0,
): Generator<ElementRun> {
  if (picked.some(({ count }) => count === 0)) {
    return;
  }
  const sizes = shape.map(Number);
  let inner = sizes.length;
  let block = 1;
  while (
    inner > 0 &&
    isWhole(picked[inner - 1], sizes[inner - 1]) &&
    joins(sizes[inner - 1], strides[inner - 1], block)
  ) {
    inner -= 1;
    block *= sizes[inner] ?? 1;
  }
  if (inner === 0) {
    yield { start: first, count: block, step: 1 };
    return;
  }
  const last = picked[inner - 1] ?? { start: 0, count: 1, step: 1 };
  const stride = strides[inner - 1] ?? 1;
  const step = last.step * stride;
  for (const base of offsets(picked.slice(0, inner - 1), strides)) {
    const start = first + base + last.start * stride;
    if (block === 1) {
      yield { start, count: last.count, step };
    } else if (step === block) {
      yield { start, count: last.count * block, step: 1 };
    } else {
      for (let k = 0; k < last.count; k += 1) {
        yield { start: start + k * step, count: block, step: 1 };
      }
    }
  }
}

/**
 * The runs of elements `[start, start + count)` in row-major order, by their places in the storage (see {@link sliceRuns}).
 * The range must lie inside the tensor.
 */
export function* rangeRuns(
  sizes: readonly number[],
  strides: readonly number[],
  first: number,
  start: number,
  count: number,
): Generator<ElementRun> {
  if (count === 0) {
    return;
  }
  const [size, ...innerSizes] = sizes;
  const [stride = 1, ...innerStrides] = strides;
  const row = innerSizes.reduce((product, inner) => product * inner, 1);
  const whole = sizes.map((_, index) => strides[index] === rowMajorStrides(sizes)[index]).every(Boolean);
  if (size === undefined || whole) {
    yield { start: first + start, count, step: 1 };
  } else if (innerSizes.length === 0) {
    yield { start: first + start * stride, count, step: stride };
  } else {
    for (let done = 0; done < count; ) {
      const at = start + done;
      const inside = at % row;
      const length = Math.min(row - inside, count - done);
      yield* rangeRuns(innerSizes, innerStrides, first + Math.floor(at / row) * stride, inside, length);
      done += length;
    }
  }
}

/** Whether a dimension goes on right where the block of the dimensions inside it ends. */
const joins = (size: number | undefined, stride: number | undefined, block: number): boolean =>
  size === 1 || stride === block;

const isWhole = (picked: Picked | undefined, size: number | undefined): boolean =>
  picked !== undefined && picked.start === 0 && picked.step === 1 && picked.count === size;

/** Flat offsets of every combination of the outer dimensions, in order; an odometer rather than recursion. */
function* offsets(outer: readonly Picked[], strides: readonly number[]): Generator<number> {
  const at = outer.map(() => 0);
  for (;;) {
    yield outer.reduce((sum, { start, step }, k) => sum + (start + (at[k] ?? 0) * step) * (strides[k] ?? 1), 0);
    let k = outer.length - 1;
    for (; k >= 0; k -= 1) {
      const next = (at[k] ?? 0) + 1;
      if (next < (outer[k]?.count ?? 0)) {
        at[k] = next;
        break;
      }
      at[k] = 0;
    }
    if (k < 0) {
      return;
    }
  }
}
