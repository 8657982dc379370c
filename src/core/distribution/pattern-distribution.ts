import { type Histogram, QUANTILES, type TensorStats } from '../../shared/checkpoint-types.ts';
import type { DtypeInfo } from '../dtypes/dtype-table.ts';
import type { F6Order } from '../dtypes/sub-byte.ts';
import { DEFAULT_BINS, type Distribution, type PatternData } from './distribution.ts';
import { FLOAT32_UNIT } from './float32-moments.ts';
import { histogramOf } from './histogram.ts';
import type { PatternCounter } from './kernels.ts';
import { meanAndStd } from './moments.ts';
import { notMergeable } from './not-mergeable.ts';
import { summarisePatterns } from './pattern-summary.ts';
import { pointMoments } from './point-moments.ts';
import { quantilesOf } from './quantiles.ts';
import { mergeCounts, noCounts, type SparseCounts } from './sparse-counts.ts';
import { requireWholeElements } from './whole-elements.ts';

/** {@link Distribution} of a dtype of at most 16 bits: counts bit patterns, from which everything follows exactly. */
export class PatternDistribution implements Distribution {
  readonly dtype: string;
  readonly #info: DtypeInfo;
  readonly #f6Order: F6Order | undefined;
  readonly #newCounter: () => PatternCounter;
  #counter: PatternCounter | undefined;
  #counts: SparseCounts = noCounts();

  constructor(info: DtypeInfo, f6Order: F6Order | undefined, newCounter: () => PatternCounter) {
    this.dtype = info.name;
    this.#info = info;
    this.#f6Order = f6Order;
    this.#newCounter = newCounter;
  }

  add(bytes: Uint8Array): void {
    requireWholeElements(this.#info, bytes);
    this.#counter ??= this.#newCounter();
    this.#counter.add(bytes);
  }

  merge(other: Distribution): void {
    const data = other.toData();
    if (data.kind !== 'patterns' || data.dtype !== this.dtype || data.f6Order !== this.#f6Order) {
      throw notMergeable(this.toData(), data);
    }
    this.absorb(data.patterns);
  }

  /** Adds counts by bit pattern. */
  absorb(patterns: SparseCounts): void {
    this.#counts = mergeCounts(this.#counts, patterns);
  }

  toData(): PatternData {
    const { keys, counts } = this.#settle();
    return {
      kind: 'patterns',
      dtype: this.dtype,
      f6Order: this.#f6Order,
      patterns: { keys: keys.slice(), counts: counts.slice() },
    };
  }

  summarise(name: string, bins = DEFAULT_BINS): TensorStats {
    const { spans, ...tally } = summarisePatterns(this.#info, this.#settle());
    const { low, high, total } = spans;
    const some = total > 0;
    const moments = some ? meanAndStd(total, pointMoments(spans), FLOAT32_UNIT) : undefined;
    const min = low[0];
    const max = high[high.length - 1];
    const specials = [tally.nan, tally.posInf, tally.negInf].filter((count) => count > 0).length;
    return {
      name,
      dtype: this.dtype,
      ...tally,
      min,
      max,
      mean: moments?.mean,
      std: moments?.std,
      quantiles: some ? quantilesOf(spans, QUANTILES) : undefined,
      distinct: low.length + specials,
      exact: true,
      histogram: min === undefined || max === undefined ? undefined : histogramOf(spans, bins, min, max, true),
    };
  }

  histogram(bins: number, low?: number, high?: number): Histogram | undefined {
    const { spans } = summarisePatterns(this.#info, this.#settle());
    const from = low ?? spans.low[0];
    const to = high ?? spans.high[spans.high.length - 1];
    return from === undefined || to === undefined ? undefined : histogramOf(spans, bins, from, to, true);
  }

  get boolOutOfRange(): number {
    const { keys, counts } = this.#settle();
    return this.#info.kind === 'bool'
      ? counts.reduce((sum, count, index) => sum + ((keys[index] ?? 0) > 1 ? count : 0), 0)
      : 0;
  }

  /** Brings the counter's counts home. */
  #settle(): SparseCounts {
    if (this.#counter !== undefined) {
      this.absorb(this.#counter.drain());
      this.#counter.release();
      this.#counter = undefined;
    }
    return this.#counts;
  }
}
