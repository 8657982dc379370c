import type { Spans } from './spans.ts';
import { keyBits, keyEdges } from './wide-keys.ts';
import type { WideEncoding, WideTotals } from './wide-totals.ts';

/** The finite numbers behind wide totals as spans: one a key, cut to [min, max], and one for zero. */
export const wideSpans = (encoding: WideEncoding, { keys: { keys, counts }, zeros, min, max }: WideTotals): Spans => {
  const smallest = Number(min ?? 0);
  const largest = Number(max ?? 0);
  const clamp = (value: number): number => Math.min(Math.max(value, smallest), largest);
  const edges = keyEdges(encoding);
  const half = 2 ** (keyBits(encoding) - 1);
  const low: number[] = [];
  const high: number[] = [];
  const spanCounts: number[] = [];
  const push = (from: number, to: number, count: number): void => {
    low.push(clamp(from));
    high.push(clamp(to));
    spanCounts.push(count);
  };
  const pushRange = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) {
      const span = edges(keys[index] ?? 0);
      push(span.low, span.high, counts[index] ?? 0);
    }
  };
  const found = keys.findIndex((key) => key >= half);
  const negatives = found < 0 ? keys.length : found;
  pushRange(0, negatives);
  if (zeros > 0) {
    push(0, 0, zeros);
  }
  pushRange(negatives, keys.length);
  return {
    low: Float64Array.from(low),
    high: Float64Array.from(high),
    counts: Float64Array.from(spanCounts),
    total: spanCounts.reduce((sum, count) => sum + count, 0),
  };
};
