import { elementValues } from '../../../../src/core/dtypes/exact-values.ts';
import type { F6Order } from '../../../../src/core/dtypes/sub-byte.ts';

/** A finite number, exactly: `units` · 2^-1074. */
export const exactUnits = (value: number | bigint): bigint => {
  if (typeof value === 'bigint') {
    return value << 1074n;
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0n ? 0n : 1n << 52n);
  const magnitude = mantissa << (exponent === 0n ? 0n : exponent - 1n);
  return bits >> 63n === 1n ? -magnitude : magnitude;
};

/** The next f64 up (or, with `step` −1, down). */
const neighbour = (value: number, step: bigint): number => {
  if (value === 0) {
    return Number(step) * Number.MIN_VALUE;
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? step : -step));
  return view.getFloat64(0);
};

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Whether `mean` is the f64 nearest to the mean of `values`: no neighbour is nearer. */
export const isNearestMean = (mean: number, values: readonly (number | bigint)[]): boolean => {
  const sum = values.reduce<bigint>((total, value) => total + exactUnits(value), 0n);
  const n = BigInt(values.length);
  const error = (candidate: number): bigint => magnitude(exactUnits(candidate) * n - sum);
  return error(mean) <= error(neighbour(mean, 1n)) && error(mean) <= error(neighbour(mean, -1n));
};

/** Whether the population standard deviation of `values` lies between the two neighbours of `std`. */
export const isStd = (std: number, values: readonly (number | bigint)[]): boolean => {
  const units = values.map(exactUnits);
  const n = BigInt(units.length);
  const sum = units.reduce((total, value) => total + value, 0n);
  // n²·variance, as Σ(n·x − Σx)² / n: not the formula the program uses.
  const squares = units.reduce((total, value) => total + (n * value - sum) ** 2n, 0n);
  if (squares === 0n) {
    return std === 0;
  }
  const square = (candidate: number): bigint => (exactUnits(candidate) * n) ** 2n * n;
  return (std === 0 || square(neighbour(std, -1n)) < squares) && squares < square(neighbour(std, 1n));
};

/** Statistics in the plainest way that comes to mind. */
export interface Reference {
  readonly count: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  readonly zeros: number;
  readonly negZeros: number;
  /** Finite elements, ascending. */
  readonly finite: readonly (number | bigint)[];
  readonly distinct: number;
}

export const referenceOf = (dtype: string, bytes: Uint8Array, count: number, f6Order?: F6Order): Reference => {
  const numbers = elementValues(dtype, bytes, count, { f6Order }).flatMap((value) =>
    typeof value === 'object' ? [...value] : [value],
  );
  const finite = numbers.filter((value) => typeof value === 'bigint' || Number.isFinite(value));
  return {
    count: numbers.length,
    nan: numbers.filter((value) => Number.isNaN(value)).length,
    posInf: numbers.filter((value) => value === Number.POSITIVE_INFINITY).length,
    negInf: numbers.filter((value) => value === Number.NEGATIVE_INFINITY).length,
    zeros: numbers.filter((value) => Number(value) === 0).length,
    negZeros: numbers.filter((value) => Object.is(value, -0)).length,
    finite: finite.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    distinct: new Set(numbers.map((value) => (value === 0 ? 0 : value))).size,
  };
};

/** numpy.quantile's default over ascending numbers, its rounding included. */
export const referenceQuantile = (sorted: readonly number[], fraction: number): number => {
  const at = (sorted.length - 1) * fraction;
  const floor = Math.floor(at);
  const a = sorted[floor] ?? 0;
  const b = sorted[Math.min(floor + 1, sorted.length - 1)] ?? 0;
  const t = at - floor;
  return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t);
};

/** numpy.histogram over its own edges: each number is in the last bin whose lower edge is not above it. */
export const referenceCounts = (numbers: readonly number[], edges: Float64Array): number[] => {
  const counts = new Array<number>(edges.length - 1).fill(0);
  const first = edges[0] ?? 0;
  const last = edges[edges.length - 1] ?? 0;
  for (const value of numbers) {
    if (value >= first && value <= last) {
      const above = edges.findIndex((edge) => edge > value);
      const bin = (above < 0 ? edges.length - 1 : above) - 1;
      counts[Math.min(bin, counts.length - 1)] = (counts[Math.min(bin, counts.length - 1)] ?? 0) + 1;
    }
  }
  return counts;
};
