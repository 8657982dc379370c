/** Longest element the grid makes; browsers stop at about 33.5 million pixels (Chromium) or less. */
export const PIXEL_LIMIT = 12_000_000;

/** One direction of a grid that may be longer than a browser can scroll: real pixels are mapped to scrolled ones. */
export interface ScrollAxis {
  readonly count: number;
  readonly size: number;
  /** Visible pixels. */
  readonly view: number;
}

/** Pixels all items would take. */
const wholeOf = ({ count, size }: ScrollAxis): number => count * size;

/** Pixels the scrolled element is given. */
export const scrolledLength = (axis: ScrollAxis): number => Math.min(wholeOf(axis), PIXEL_LIMIT);

/** Whether a scrolled pixel stands for more than one real one. */
export const isScaled = (axis: ScrollAxis): boolean => wholeOf(axis) > PIXEL_LIMIT;

const ratio = (axis: ScrollAxis): number => {
  const scrollable = scrolledLength(axis) - axis.view;
  return scrollable <= 0 ? 1 : (wholeOf(axis) - axis.view) / scrollable;
};

/** The real pixel at the top of the view for a scroll position. */
export const toReal = (axis: ScrollAxis, scrolled: number): number => clampReal(axis, scrolled * ratio(axis));

/** The scroll position that shows a real pixel at the top. */
export const toScrolled = (axis: ScrollAxis, real: number): number => clampReal(axis, real) / ratio(axis);

/** A real pixel within what can be shown at the top of the view. */
export const clampReal = (axis: ScrollAxis, real: number): number =>
  Math.max(0, Math.min(real, wholeOf(axis) - axis.view));

/** First and one past the last item in view. */
export const visibleItems = (axis: ScrollAxis, real: number): { readonly first: number; readonly end: number } => {
  const first = Math.max(0, Math.floor(real / axis.size));
  return { first, end: Math.min(axis.count, Math.ceil((real + axis.view) / axis.size)) };
};

/** The real pixel that brings an item into view with the least movement. */
export const revealItem = (axis: ScrollAxis, real: number, item: number): number => {
  const top = item * axis.size;
  if (top < real) {
    return clampReal(axis, top);
  }
  return top + axis.size > real + axis.view ? clampReal(axis, top + axis.size - axis.view) : real;
};
