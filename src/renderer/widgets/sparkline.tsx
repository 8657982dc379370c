import type { JSX } from 'react';

const HEIGHT = 16;
const paths = new WeakMap<Uint8Array, string>();

/** The outline of a sparkline's bars in a box `heights.length` wide and 16 high. */
export const sparkPath = (heights: Uint8Array): string => {
  let path = paths.get(heights);
  if (path === undefined) {
    path = '';
    heights.forEach((height, bar) => {
      if (height > 0) {
        const top = HEIGHT - Math.max(1, (height / 255) * (HEIGHT - 1));
        path += `M${bar} ${HEIGHT}V${top.toFixed(2)}h1V${HEIGHT}Z`;
      }
    });
    paths.set(heights, path);
  }
  return path;
};

/** A small drawing of a distribution. The numbers beside it say the same in words. */
export const Sparkline = ({ heights }: { readonly heights: Uint8Array }): JSX.Element => (
  <svg className="sparkline" viewBox={`0 0 ${heights.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    <path d={sparkPath(heights)} />
  </svg>
);
