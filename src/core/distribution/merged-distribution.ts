import { type Int, QUANTILES, type TensorStats } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { DtypeInfo } from '../dtypes/dtype-table.ts';
import { requireDtype } from '../dtypes/require-dtype.ts';
import { DEFAULT_BINS, type DistributionData, type PatternData, type WideData } from './distribution.ts';
import { FLOAT32_UNIT } from './float32-moments.ts';
import { histogramOf } from './histogram.ts';
import { mergeSpans } from './merge-spans.ts';
import { addMoments, type Moments, meanAndStd, NO_MOMENTS, rescaleMoments } from './moments.ts';
import { distributionFromData } from './new-distribution.ts';
import { summarisePatterns } from './pattern-summary.ts';
import { pointMoments } from './point-moments.ts';
import { quantilesOf } from './quantiles.ts';
import type { Spans } from './spans.ts';
import { mergeAllCounts } from './sparse-counts.ts';
import { wideSpans } from './wide-spans.ts';
import { mergeAllTotals, momentUnit, wideEncoding } from './wide-totals.ts';

/** Keys held in parts that wait to be merged, besides twice those merged already. */
const WAITING_KEYS = 1 << 17;

const keysOf = (data: DistributionData): number =>
  data.kind === 'patterns' ? data.patterns.keys.length : data.totals.keys.keys.length;

/** Data of one dtype: what was merged, and what waits until merging it is worth while. */
class OneDtype {
  readonly #parts: DistributionData[] = [];
  #waiting = 0;
  #tensors = 0;

  get tensors(): number {
    return this.#tensors;
  }

  add(data: DistributionData, tensors: number): void {
    this.#parts.push(data);
    this.#tensors += tensors;
    this.#waiting += keysOf(data);
    const merged = this.#parts[0];
    if (merged !== undefined && this.#waiting > WAITING_KEYS + 2 * keysOf(merged)) {
      this.data();
    }
  }

  data(): DistributionData | undefined {
    const [first] = this.#parts;
    if (first !== undefined && this.#parts.length > 1) {
      const merged: DistributionData =
        first.kind === 'patterns'
          ? { ...first, patterns: mergeAllCounts(this.#parts.flatMap((part) => patternsOf(part))) }
          : { ...first, totals: mergeAllTotals(this.#parts.flatMap((part) => totalsOf(part))) };
      this.#parts.splice(0, this.#parts.length, merged);
    }
    this.#waiting = 0;
    return this.#parts[0];
  }
}

const patternsOf = (data: DistributionData): PatternData['patterns'][] =>
  data.kind === 'patterns' ? [data.patterns] : [];
const totalsOf = (data: DistributionData): WideData['totals'][] => (data.kind === 'wide' ? [data.totals] : []);

/** What one dtype adds to statistics over several. */
interface Share {
  readonly tally: Pick<TensorStats, 'count' | 'nan' | 'posInf' | 'negInf' | 'zeros' | 'negZeros' | 'subnormals'>;
  readonly min: Int | undefined;
  readonly max: Int | undefined;
  readonly spans: Spans;
  readonly moments: Moments;
  /** Binary exponent of the unit of the moments. */
  readonly unit: number;
  readonly exact: boolean;
}

const shareOf = (data: DistributionData): Share => {
  const info = requireDtype(data.dtype);
  const encoding = wideEncoding(info.encoding);
  if (data.kind === 'patterns') {
    const { spans, ...tally } = summarisePatterns(info, data.patterns);
    const { low } = spans;
    const moments = pointMoments(spans);
    return { tally, min: low[0], max: low.at(-1), spans, moments, unit: FLOAT32_UNIT, exact: true };
  }
  if (encoding === undefined) {
    throw new LoupeError('dtype-mismatch', `data of kind wide are not those of a ${data.dtype} tensor`);
  }
  const { count, nan, posInf, negInf, zeros, negZeros, subnormals, min, max, moments } = data.totals;
  return {
    tally: { count, nan, posInf, negInf, zeros, negZeros, subnormals },
    min,
    max,
    spans: wideSpans(encoding, data.totals),
    moments,
    unit: momentUnit(encoding),
    exact: false,
  };
};

const extreme = (values: readonly (Int | undefined)[], isBetter: (a: Int, b: Int) => boolean): Int | undefined =>
  values.reduce((best, value) => (best === undefined || (value !== undefined && isBetter(value, best)) ? value : best));

const summariseShares = (name: string, dtype: string, shares: readonly Share[], bins: number): TensorStats => {
  const sum = (field: keyof Share['tally']): number => shares.reduce((total, { tally }) => total + tally[field], 0);
  const tally = { nan: sum('nan'), posInf: sum('posInf'), negInf: sum('negInf') };
  const spans = mergeSpans(shares.map((share) => share.spans));
  const unit = Math.min(...shares.map((share) => share.unit));
  const moments = shares
    .map((share) => rescaleMoments(share.moments, share.unit - unit))
    .reduce(addMoments, NO_MOMENTS);
  const exact = shares.every((share) => share.exact);
  const some = spans.total > 0;
  const min = extreme(
    shares.map((share) => share.min),
    (a, b) => a < b,
  );
  const max = extreme(
    shares.map((share) => share.max),
    (a, b) => a > b,
  );
  const specials = [tally.nan, tally.posInf, tally.negInf].filter((count) => count > 0).length;
  return {
    name,
    dtype,
    count: sum('count'),
    ...tally,
    zeros: sum('zeros'),
    negZeros: sum('negZeros'),
    subnormals: sum('subnormals'),
    min,
    max,
    ...(some ? meanAndStd(spans.total, moments, unit) : { mean: undefined, std: undefined }),
    quantiles: some ? quantilesOf(spans, QUANTILES) : undefined,
    distinct: exact ? spans.counts.length + specials : undefined,
    exact,
    histogram:
      min === undefined || max === undefined ? undefined : histogramOf(spans, bins, Number(min), Number(max), exact),
  };
};

/**
 * The statistics of many tensors together, of whatever dtypes: a folder's or a whole model's.
 *
 * Data of each dtype are kept apart and merge without loss, so neither order nor grouping changes a result, to the last bit.
 * Across dtypes these are exact: all counts, min, max, and mean and std (from exact sums, brought to one unit and rounded
 * once). Quantiles, distinct values and histogram are exact while every dtype has at most 16 bits; with a wider one among
 * them quantiles are within 2^-8 relative, and distinct values are not known.
 */
export class MergedDistribution {
  readonly #dtypes = new Map<string, OneDtype>();

  /** Takes in one tensor's data, or those of several of one dtype; the data must not change afterwards. */
  add(data: DistributionData, tensors = 1): void {
    const order = data.kind === 'patterns' ? (data.f6Order ?? '') : '';
    const key = `${data.dtype} ${order}`;
    const own = this.#dtypes.get(key) ?? new OneDtype();
    own.add(data, tensors);
    this.#dtypes.set(key, own);
  }

  /** Takes in all that another one holds. */
  merge(other: MergedDistribution): void {
    for (const own of other.#dtypes.values()) {
      const data = own.data();
      if (data !== undefined) {
        this.add(data, own.tensors);
      }
    }
  }

  /** How many tensors it holds of dtypes that pass. */
  tensors(passes: (info: DtypeInfo) => boolean = () => true): number {
    return this.#passing(passes).reduce((sum, { tensors }) => sum + tensors, 0);
  }

  /**
   * Statistics over all tensors whose dtype passes; undefined when there are none. Their `dtype` is the one there is, or all
   * of them in a fixed order with plus signs: `BF16+F32`.
   *
   * @throws LoupeError `histogram-bins`
   */
  summarise(
    name: string,
    bins = DEFAULT_BINS,
    passes: (info: DtypeInfo) => boolean = () => true,
  ): TensorStats | undefined {
    const all = this.#passing(passes).map(({ data }) => data);
    const [first] = all;
    if (first === undefined) {
      return undefined;
    }
    if (all.length === 1) {
      return distributionFromData(first).summarise(name, bins);
    }
    const dtype = [...new Set(all.map((data) => data.dtype))].join('+');
    return summariseShares(name, dtype, all.map(shareOf), bins);
  }

  #passing(passes: (info: DtypeInfo) => boolean): { readonly data: DistributionData; readonly tensors: number }[] {
    return [...this.#dtypes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, own]) => {
        const data = own.data();
        return data !== undefined && passes(requireDtype(data.dtype)) ? [{ data, tensors: own.tensors }] : [];
      });
  }
}
