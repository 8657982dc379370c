import { formatInt, formatStatistic } from '../../../shared/format-number.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';

/** The numbers of several tensors together. */
export interface FolderFigures {
  readonly tensors: number;
  readonly count: number;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
  readonly min: number;
  readonly max: number;
  /** Within 1e-12 of the exact ones, relative to the scale: put together from each tensor's, which are rounded. */
  readonly mean: number;
  readonly std: number;
}

const isFloat = ({ dtype }: TensorNumbers): boolean => /^(?:BF|F|C)\d/.test(dtype);

/** Sums up the floats among some tensors; integers are counters, masks and codes. Undefined without a finite float. */
export const mergeNumbers = (all: Iterable<TensorNumbers>): FolderFigures | undefined => {
  const floats = [...all].filter(isFloat);
  const parts = floats.flatMap(({ count, nan, posInf, negInf, min, max, mean, std }) =>
    min === undefined || max === undefined || mean === undefined || std === undefined
      ? []
      : [{ finite: count - nan - posInf - negInf, min: Number(min), max: Number(max), mean, std }],
  );
  const finite = parts.reduce((sum, part) => sum + part.finite, 0);
  if (finite === 0) {
    return undefined;
  }
  const mean = parts.reduce((sum, part) => sum + part.mean * (part.finite / finite), 0);
  // Distances from the common mean: nothing cancels.
  const variance = parts.reduce(
    (sum, part) => sum + (part.std ** 2 + (part.mean - mean) ** 2) * (part.finite / finite),
    0,
  );
  const sum = (of: (numbers: TensorNumbers) => number): number => floats.reduce((total, one) => total + of(one), 0);
  return {
    tensors: floats.length,
    count: sum(({ count }) => count),
    nan: sum(({ nan }) => nan),
    infinite: sum(({ posInf, negInf }) => posInf + negInf),
    zeros: sum(({ zeros }) => zeros),
    min: parts.reduce((least, part) => Math.min(least, part.min), Number.POSITIVE_INFINITY),
    max: parts.reduce((most, part) => Math.max(most, part.max), Number.NEGATIVE_INFINITY),
    mean,
    std: Math.sqrt(variance),
  };
};

/** The figures in a line. */
export const figuresText = ({ tensors, nan, infinite, zeros, min, max, mean, std }: FolderFigures): string => {
  const range = `min ${formatStatistic(min)}, max ${formatStatistic(max)}, mean ${formatStatistic(mean)}, std ${formatStatistic(std)}`;
  const counts = `zeros ${formatInt(zeros)}, NaN ${formatInt(nan)}, ±Inf ${formatInt(infinite)}`;
  return `${formatInt(tensors)} float ${tensors === 1 ? 'tensor' : 'tensors'}: ${range}\n${counts}`;
};
