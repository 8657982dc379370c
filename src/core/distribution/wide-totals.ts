import type { Int } from '../../shared/checkpoint-types.ts';
import type { Encoding } from '../dtypes/dtype-table.ts';
import { FLOAT32_UNIT } from './float32-moments.ts';
import { addMoments, type Moments, NO_MOMENTS } from './moments.ts';
import { mergeAllCounts, mergeCounts, noCounts, type SparseCounts } from './sparse-counts.ts';

/** Encodings too wide to count every bit pattern of. */
export type WideEncoding = Extract<Encoding, 'f32' | 'f64' | 'i32' | 'u32' | 'i64' | 'u64'>;

/** The wide encoding that this is; undefined when it has at most 16 bits. */
export const wideEncoding = (encoding: Encoding): WideEncoding | undefined => {
  switch (encoding) {
    case 'f32':
    case 'f64':
    case 'i32':
    case 'u32':
    case 'i64':
    case 'u64':
      return encoding;
    default:
      return undefined;
  }
};

/** Everything one pass over 32- or 64-bit numbers keeps. Plain data; any two of the same encoding can be merged. */
export interface WideTotals {
  /** Numbers looked at. */
  readonly count: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  /** Both signs of zero. */
  readonly zeros: number;
  readonly negZeros: number;
  readonly subnormals: number;
  /** Smallest and largest finite number, exactly; of I64 and U64 a bigint beyond 2^53 − 1. Undefined when there is none. */
  readonly min: Int | undefined;
  readonly max: Int | undefined;
  /** The finite numbers next to zero on either side, exactly; undefined when there is none on that side. */
  readonly maxNegative: Int | undefined;
  readonly minPositive: Int | undefined;
  /** Over the finite numbers, in units of 2^{@link momentUnit}. */
  readonly moments: Moments;
  /** The finite nonzero numbers by order-preserving key (see wide-keys.ts). */
  readonly keys: SparseCounts;
}

/** Binary exponent of the unit that {@link WideTotals.moments} are in. */
export const momentUnit = (encoding: WideEncoding): number => {
  switch (encoding) {
    case 'f32':
      return FLOAT32_UNIT;
    case 'f64':
      return -1074;
    default:
      return 0;
  }
};

/** The extremes of no finite numbers. */
export const NO_EXTREMES: Pick<WideTotals, 'min' | 'max' | 'maxNegative' | 'minPositive'> = {
  min: undefined,
  max: undefined,
  maxNegative: undefined,
  minPositive: undefined,
};

/** Totals over no numbers. */
export const noTotals = (): WideTotals => ({
  ...NO_EXTREMES,
  count: 0,
  nan: 0,
  posInf: 0,
  negInf: 0,
  zeros: 0,
  negZeros: 0,
  subnormals: 0,
  moments: NO_MOMENTS,
  keys: noCounts(),
});

const smaller = (a: Int | undefined, b: Int | undefined): Int | undefined =>
  a === undefined || b === undefined ? (a ?? b) : a < b ? a : b;

const larger = (a: Int | undefined, b: Int | undefined): Int | undefined =>
  a === undefined || b === undefined ? (a ?? b) : a > b ? a : b;

/** The totals over all of them. Order and grouping change nothing, to the last bit. */
export const mergeAllTotals = (list: readonly WideTotals[]): WideTotals => {
  const keys = mergeAllCounts(list.map((totals) => totals.keys));
  const sums = list.reduce(addWithoutKeys, noTotals());
  return { ...sums, keys };
};

/** The totals over both together. Order and grouping of merges change nothing, to the last bit. */
export const mergeTotals = (a: WideTotals, b: WideTotals): WideTotals => ({
  ...addWithoutKeys(a, b),
  keys: mergeCounts(a.keys, b.keys),
});

const addWithoutKeys = (a: WideTotals, b: WideTotals): WideTotals => ({
  count: a.count + b.count,
  nan: a.nan + b.nan,
  posInf: a.posInf + b.posInf,
  negInf: a.negInf + b.negInf,
  zeros: a.zeros + b.zeros,
  negZeros: a.negZeros + b.negZeros,
  subnormals: a.subnormals + b.subnormals,
  min: smaller(a.min, b.min),
  max: larger(a.max, b.max),
  maxNegative: larger(a.maxNegative, b.maxNegative),
  minPositive: smaller(a.minPositive, b.minPositive),
  moments: addMoments(a.moments, b.moments),
  keys: a.keys,
});
