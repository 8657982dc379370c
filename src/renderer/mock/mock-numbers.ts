import {
  type Histogram,
  QUANTILES,
  type TensorRow,
  type TensorStats,
  type ValueWindow,
} from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { formatFloat32 } from '../../shared/format-number.ts';
import type { MockKind } from './mock-model.ts';

interface Shape {
  readonly mean: number;
  readonly std: number;
  readonly low: number;
  readonly high: number;
}

const spreadOf = (kind: MockKind, seed: number): Shape => {
  const std = 0.018 + ((seed * 7919) % 100) / 5000;
  switch (kind) {
    case 'zero':
      return { mean: 0, std: 0, low: 0, high: 0 };
    case 'ones':
      return { mean: 1.02, std: 0.11, low: 0.4, high: 1.9 };
    case 'odd':
      return { mean: 0.4, std: 2.1, low: -14.25, high: 38.5 };
    case 'index':
      return { mean: 2047.5, std: 1182.4, low: 0, high: 4095 };
    default:
      return { mean: 0.0003, std, low: -std * 9, high: std * 11 };
  }
};

const countOf = (row: TensorRow): number => Number(row.parameters ?? 0);

const finiteOf = (row: TensorRow, kind: MockKind): number => {
  const count = countOf(row);
  return kind === 'all-nan' ? 0 : kind === 'nan' ? count - 6 : count;
};

/** Share of a normal distribution below `x`, to about 1e-7 (Abramowitz and Stegun 7.1.26). */
const normalBelow = (x: number): number => {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const erf = 1 - series * Math.exp((-x * x) / 2);
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
};

/** A made-up histogram of a mock tensor. */
export const mockHistogram = (row: TensorRow, kind: MockKind, bins: number, low?: number, high?: number): Histogram => {
  const spread = spreadOf(kind, row.id);
  const from = low ?? spread.low;
  const to = high ?? spread.high;
  const total = finiteOf(row, kind);
  const width = (to - from) / bins;
  const below = (x: number): number => {
    if (x <= spread.low) {
      return 0;
    }
    return x >= spread.high
      ? 1
      : kind === 'index'
        ? x / spread.high
        : normalBelow((x - spread.mean) / (spread.std || 1));
  };
  const edges = Float64Array.from({ length: bins + 1 }, (_, bin) => from + bin * width);
  const counts = Float64Array.from({ length: bins }, (_, bin) =>
    spread.std === 0
      ? bin === bins >> 1
        ? total
        : 0
      : Math.round(total * (below(from + (bin + 1) * width) - below(from + bin * width))),
  );
  const exact = row.dtype !== 'F32' && row.dtype !== 'I64';
  return { edges, counts, below: Math.round(total * below(from)), above: Math.round(total * (1 - below(to))), exact };
};

/** Made-up statistics of a mock tensor. */
export const mockStats = (row: TensorRow, kind: MockKind, bins = 128): TensorStats => {
  const spread = spreadOf(kind, row.id);
  const finite = finiteOf(row, kind);
  const nan = kind === 'all-nan' ? countOf(row) : kind === 'nan' ? 3 : 0;
  const has = finite > 0;
  const z = [-2.3263, -1.6449, -0.6745, 0, 0.6745, 1.6449, 2.3263];
  return {
    name: row.name,
    dtype: row.dtype,
    count: countOf(row),
    nan,
    posInf: kind === 'nan' ? 2 : 0,
    negInf: kind === 'nan' ? 1 : 0,
    zeros: kind === 'zero' ? finite : 12,
    negZeros: 0,
    subnormals: 0,
    min: has ? spread.low : undefined,
    max: has ? spread.high : undefined,
    mean: has ? spread.mean : undefined,
    std: has ? spread.std : undefined,
    quantiles: has ? QUANTILES.map((_, index) => spread.mean + (z[index] ?? 0) * spread.std) : undefined,
    distinct: row.dtype === 'BF16' ? Math.min(finite, 4711) : undefined,
    exact: row.dtype === 'BF16' || row.dtype === 'F16',
    histogram: has ? mockHistogram(row, kind, bins) : undefined,
  };
};

const hash = (seed: number): number => {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 2 ** 32;
};

/** Made-up values of a window given by slice text. */
export const mockValues = (row: TensorRow, kind: MockKind, slice: string | undefined, limit: number): ValueWindow => {
  const dims = row.shape.map(Number);
  const parts = slice === undefined ? dims.map((size) => `0:${size}`) : slice.split(',');
  const spans = parts.map((part, axis): readonly number[] => {
    const [start, stop] = part.split(':').map(Number);
    return stop === undefined
      ? [start ?? 0]
      : Array.from({ length: Math.min(stop, dims[axis] ?? 0) - (start ?? 0) }, (_, at) => (start ?? 0) + at);
  });
  const shape = spans.filter((_, axis) => parts[axis]?.includes(':')).map((span) => span.length);
  const places = spans.reduce<readonly number[]>(
    (sofar, span, axis) => sofar.flatMap((base) => span.map((at) => base * (dims[axis] ?? 1) + at)),
    [0],
  );
  if (places.length > limit) {
    throw new LoupeError('too-many-values', `${places.length} values asked for, at most ${limit} allowed`);
  }
  const { mean, std } = spreadOf(kind, row.id);
  const numbers = Float64Array.from(places, (place) => {
    if (kind === 'index') {
      return place;
    }
    if (kind === 'all-nan' || (kind === 'nan' && place % 1151 === 7)) {
      return Number.NaN;
    }
    return Math.fround(mean + std * (hash(place * 3 + row.id) + hash(place * 5 + 1) + hash(place * 7 + 2) - 1.5) * 2);
  });
  return {
    shape,
    numbers,
    texts: Array.from(numbers, (value) => (kind === 'index' ? String(value) : formatFloat32(value))),
    bits: Array.from(numbers, (value) => {
      const view = new DataView(new ArrayBuffer(4));
      view.setFloat32(0, value);
      return view.getUint32(0).toString(16).padStart(8, '0');
    }),
  };
};
