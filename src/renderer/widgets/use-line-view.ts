import './line-view.css';
import { type RefObject, useCallback, useRef } from 'react';
import { revealItem, type ScrollAxis, scrolledLength, visibleItems } from './scroll-axis.ts';
import { useAxisScroll } from './use-axis-scroll.ts';
import { useSize } from './use-size.ts';

/** The part of a long list of equally high lines that is in view. */
export interface LineView {
  /** First and one past the last line in view. */
  readonly first: number;
  readonly end: number;
  /** Inner size of the scrolling element in pixels. */
  readonly width: number;
  readonly height: number;
  /** Height of what is scrolled; bounded, however many lines there are. */
  readonly scrolled: number;
  /** Lines that fit into the view but one: what Page Down moves by. */
  readonly page: number;
  /** Pixels from the top of the view to a line's top. */
  topOf(line: number): number;
  /** Scrolls as little as shows a line. */
  reveal(line: number): void;
}

/**
 * Follows which lines of a list are in view. Lines are placed into a box as high as the view that stays in place, so that
 * no element is too high for a browser: a pickle of a few megabytes makes millions of lines.
 *
 * @param head pixels above the first line that do not scroll.
 */
export const useLineView = (
  scroller: RefObject<HTMLElement | null>,
  count: number,
  line: number,
  head = 0,
): LineView => {
  const { width, height } = useSize(scroller);
  const vertical: ScrollAxis = { count, size: line, view: Math.max(0, height - head) };
  const horizontal: ScrollAxis = { count: 1, size: width, view: width };
  const { top, scrollTo } = useAxisScroll(scroller, vertical, horizontal);
  const now = useRef({ vertical, top });
  now.current = { vertical, top };
  const reveal = useCallback(
    (at: number) => scrollTo(revealItem(now.current.vertical, now.current.top, at), 0),
    [scrollTo],
  );
  const { first, end } = visibleItems(vertical, Math.min(top, Math.max(0, count * line - vertical.view)));
  const shownTop = Math.min(top, Math.max(0, count * line - vertical.view));
  return {
    first,
    end,
    width,
    height,
    scrolled: head + scrolledLength(vertical),
    page: Math.max(1, Math.floor(vertical.view / line) - 1),
    topOf: (at) => head + at * line - shownTop,
    reveal,
  };
};
