/** A way from values to places in a drawing. */
export interface ChartScale {
  readonly place: (value: number) => number;
  readonly logarithmic: boolean;
}

/** Values over more than this factor are drawn logarithmically. */
const WIDE = 20;

/**
 * A scale from [low, high] to [from, to], logarithmic where all is positive and spans more than a decade or so. A range
 * without width is drawn in the middle.
 */
export const chartScale = (low: number, high: number, from: number, to: number): ChartScale => {
  const logarithmic = low > 0 && high / low > WIDE;
  const through = logarithmic ? Math.log : (value: number): number => value;
  const begin = through(low);
  const span = through(high) - begin;
  return {
    logarithmic,
    place: (value) =>
      span > 0 && Number.isFinite(span) ? from + ((through(value) - begin) / span) * (to - from) : (from + to) / 2,
  };
};

/** A place in a drawing as short text. */
export const placed = (value: number): string => (Math.round(value * 10) / 10).toString();
