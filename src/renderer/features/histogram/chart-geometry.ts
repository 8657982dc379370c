import type { Histogram } from '../../../shared/checkpoint-types.ts';

/** A bar as it is drawn: a bin of finite values, or one of the non-finite kinds in a slot of its own. */
export interface Bar {
  readonly kind: 'bin' | 'negInf' | 'posInf' | 'nan';
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts of what is not finite. */
export interface NonFinite {
  readonly negInf: number;
  readonly posInf: number;
  readonly nan: number;
}

/** Pixels a slot and its gap take, so that its label fits; and the part of the chart they may take together. */
const SLOT_PIXELS = 26;
const GAP_PIXELS = 8;
const SLOTS_SHARE = 0.5;

/**
 * All bars with their places on the x axis, and the ends of that axis. Empty slots are left out. `pixels` is the width the
 * axis will have.
 */
export const layOutBars = (
  { edges, counts }: Pick<Histogram, 'edges' | 'counts'>,
  { negInf, posInf, nan }: NonFinite,
  pixels: number,
): {
  readonly bars: readonly Bar[];
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
} => {
  const low = edges[0] ?? 0;
  const high = edges[edges.length - 1] ?? 1;
  const width = high - low || 1;
  const slots = [negInf, posInf, nan].filter((count) => count > 0).length;
  const taken = Math.min(pixels * SLOTS_SHARE, slots * (SLOT_PIXELS + GAP_PIXELS));
  const unit = pixels > 0 ? width / (pixels - taken) : 0;
  const slot = unit * SLOT_PIXELS;
  const gap = unit * GAP_PIXELS;
  const bars: Bar[] = Array.from(counts, (count, bin) => ({
    kind: 'bin',
    label: '',
    from: edges[bin] ?? low,
    to: edges[bin + 1] ?? high,
    count,
  }));
  let from = low;
  let to = high;
  if (negInf > 0) {
    const end = low - gap;
    from = end - slot;
    bars.unshift({ kind: 'negInf', label: '−Inf', from, to: end, count: negInf });
  }
  for (const [kind, label, count] of [
    ['posInf', '+Inf', posInf],
    ['nan', 'NaN', nan],
  ] as const) {
    if (count > 0) {
      const start = to + gap;
      to = start + slot;
      bars.push({ kind, label, from: start, to, count });
    }
  }
  const margin = width * 0.01;
  return { bars, from: from - margin, to: to + margin, low, high };
};
