import type { Int } from '../../shared/checkpoint-types.ts';
import type { Spans } from './spans.ts';
import { type KeyEdges, keyBits, keyEdges } from './wide-keys.ts';
import type { WideEncoding, WideTotals } from './wide-totals.ts';

/** Gathers spans in ascending order. */
class SpanList {
  readonly #low: number[] = [];
  readonly #high: number[] = [];
  readonly #counts: number[] = [];

  push(low: number, high: number, count: number): void {
    if (count > 0) {
      this.#low.push(low);
      this.#high.push(high);
      this.#counts.push(count);
    }
  }

  spans(): Spans {
    return {
      low: Float64Array.from(this.#low),
      high: Float64Array.from(this.#high),
      counts: Float64Array.from(this.#counts),
      total: this.#counts.reduce((sum, count) => sum + count, 0),
    };
  }
}

/** Numbers of one sign: a key each, ascending. */
interface SignKeys {
  readonly keys: Uint32Array;
  readonly counts: Float64Array;
}

/**
 * Adds the numbers of one sign: a span a key, cut to [`least`, `most`]. Those two are elements, so they get spans of their
 * own, exactly.
 */
const pushSign = (list: SpanList, { keys, counts }: SignKeys, edges: KeyEdges, least: Int, most: Int): void => {
  const bottom = Number(least);
  const top = Number(most);
  keys.forEach((key, index) => {
    const count = counts[index] ?? 0;
    const edge = edges(key);
    const low = Math.min(Math.max(edge.low, bottom), top);
    const high = Math.min(Math.max(edge.high, bottom), top);
    const first = index === 0 && low < high ? 1 : 0;
    const last = index === keys.length - 1 && low < high && count > first ? 1 : 0;
    list.push(bottom, bottom, first);
    list.push(low, high, count - first - last);
    list.push(top, top, last);
  });
};

/**
 * The finite numbers behind wide totals as spans: one a key and one for zero. The smallest, the largest and the two next to
 * zero are known exactly, so that an interpolation across zero cannot lose its sign.
 */
export const wideSpans = (encoding: WideEncoding, totals: WideTotals): Spans => {
  const { keys, counts } = totals.keys;
  const edges = keyEdges(encoding);
  const half = 2 ** (keyBits(encoding) - 1);
  const found = keys.findIndex((key) => key >= half);
  const split = found < 0 ? keys.length : found;
  const negative = { keys: keys.subarray(0, split), counts: counts.subarray(0, split) };
  const positive = { keys: keys.subarray(split), counts: counts.subarray(split) };
  const { min = 0, max = 0, maxNegative = 0, minPositive = 0 } = totals;
  const list = new SpanList();
  pushSign(list, negative, edges, min, maxNegative);
  list.push(0, 0, totals.zeros);
  pushSign(list, positive, edges, minPositive, max);
  return list.spans();
};
