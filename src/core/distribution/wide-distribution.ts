import { type Histogram, QUANTILES, type TensorStats } from '../../shared/checkpoint-types.ts';
import type { DtypeInfo } from '../dtypes/dtype-table.ts';
import { DEFAULT_BINS, type Distribution, type WideData } from './distribution.ts';
import { histogramOf } from './histogram.ts';
import type { DistributionKernel, WideScanner } from './kernels.ts';
import { meanAndStd } from './moments.ts';
import { notMergeable } from './not-mergeable.ts';
import { quantilesOf } from './quantiles.ts';
import { requireWholeElements } from './whole-elements.ts';
import { wideSpans } from './wide-spans.ts';
import { mergeTotals, momentUnit, noTotals, type WideEncoding, type WideTotals } from './wide-totals.ts';

/**
 * {@link Distribution} of a dtype of 32 or 64 bits: exact but for quantiles and histogram, which come from counts of the
 * upper bits. C64 is its real and imaginary parts, twice as many numbers as elements.
 */
export class WideDistribution implements Distribution {
  readonly dtype: string;
  readonly boolOutOfRange = 0;
  readonly #info: DtypeInfo;
  readonly #encoding: WideEncoding;
  readonly #kernel: DistributionKernel;
  #scanner: WideScanner | undefined;
  #totals: WideTotals = noTotals();

  constructor(info: DtypeInfo, encoding: WideEncoding, kernel: DistributionKernel) {
    this.dtype = info.name;
    this.#info = info;
    this.#encoding = encoding;
    this.#kernel = kernel;
  }

  add(bytes: Uint8Array): void {
    requireWholeElements(this.#info, bytes);
    this.#scanner ??= this.#kernel.wideScanner(this.#encoding);
    this.#scanner.add(bytes);
  }

  merge(other: Distribution): void {
    const data = other.toData();
    if (data.kind !== 'wide' || data.dtype !== this.dtype) {
      throw notMergeable(this.toData(), data);
    }
    this.absorb(data.totals);
  }

  /** Adds the totals of other numbers of the same encoding. */
  absorb(totals: WideTotals): void {
    this.#totals = mergeTotals(this.#totals, totals);
  }

  toData(): WideData {
    const totals = this.#settle();
    const { keys, counts } = totals.keys;
    return {
      kind: 'wide',
      dtype: this.dtype,
      totals: { ...totals, keys: { keys: keys.slice(), counts: counts.slice() } },
    };
  }

  summarise(name: string, bins = DEFAULT_BINS): TensorStats {
    const totals = this.#settle();
    const { moments: sums, keys: _keys, maxNegative: _below, minPositive: _above, min, max, ...tally } = totals;
    const spans = wideSpans(this.#encoding, totals);
    const some = spans.total > 0;
    const moments = some ? meanAndStd(spans.total, sums, momentUnit(this.#encoding)) : undefined;
    return {
      name,
      dtype: this.dtype,
      ...tally,
      min,
      max,
      mean: moments?.mean,
      std: moments?.std,
      quantiles: some ? quantilesOf(spans, QUANTILES) : undefined,
      distinct: undefined,
      exact: false,
      histogram:
        min === undefined || max === undefined ? undefined : histogramOf(spans, bins, Number(min), Number(max), false),
    };
  }

  histogram(bins: number, low?: number, high?: number): Histogram | undefined {
    const totals = this.#settle();
    const from = low ?? totals.min;
    const to = high ?? totals.max;
    return from === undefined || to === undefined
      ? undefined
      : histogramOf(wideSpans(this.#encoding, totals), bins, Number(from), Number(to), false);
  }

  /** Brings the scanner's totals home. */
  #settle(): WideTotals {
    if (this.#scanner !== undefined) {
      this.absorb(this.#scanner.drain());
      this.#scanner.release();
      this.#scanner = undefined;
    }
    return this.#totals;
  }
}
