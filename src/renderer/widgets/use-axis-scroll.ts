import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { clampReal, isScaled, type ScrollAxis, toReal, toScrolled } from './scroll-axis.ts';

/** Real pixel offsets of a grid's view, kept in step with its scroll bars. */
export interface AxisScroll {
  readonly top: number;
  readonly left: number;
  scrollTo(top: number, left: number): void;
}

/**
 * Follows the scroll bars of `scroller` in real pixels. Where an axis is scaled, wheel movement is applied in real pixels
 * too: one notch is a few rows, not a few thousand.
 */
export const useAxisScroll = (
  scroller: RefObject<HTMLElement | null>,
  vertical: ScrollAxis,
  horizontal: ScrollAxis,
): AxisScroll => {
  const [offset, setOffset] = useState({ top: 0, left: 0 });
  const state = useRef({ offset, vertical, horizontal });
  state.current = { offset, vertical, horizontal };
  /** Scroll positions that were set here, whose events carry no news. */
  const expected = useRef({ top: -1, left: -1 });

  const scrollTo = useCallback(
    (top: number, left: number) => {
      const element = scroller.current;
      const axes = state.current;
      const next = { top: clampReal(axes.vertical, top), left: clampReal(axes.horizontal, left) };
      setOffset(next);
      if (element !== null) {
        element.scrollTop = toScrolled(axes.vertical, next.top);
        element.scrollLeft = toScrolled(axes.horizontal, next.left);
        expected.current = { top: element.scrollTop, left: element.scrollLeft };
      }
    },
    [scroller],
  );

  useEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return undefined;
    }
    const onScroll = (): void => {
      const { scrollTop, scrollLeft } = element;
      if (scrollTop === expected.current.top && scrollLeft === expected.current.left) {
        return;
      }
      expected.current = { top: -1, left: -1 };
      const axes = state.current;
      setOffset({ top: toReal(axes.vertical, scrollTop), left: toReal(axes.horizontal, scrollLeft) });
    };
    const onWheel = (event: WheelEvent): void => {
      const axes = state.current;
      if ((!isScaled(axes.vertical) && !isScaled(axes.horizontal)) || event.ctrlKey) {
        return;
      }
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 22 : 1;
      scrollTo(axes.offset.top + event.deltaY * unit, axes.offset.left + event.deltaX * unit);
    };
    element.addEventListener('scroll', onScroll);
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller, scrollTo]);

  return { ...offset, scrollTo };
};
