import { type RefObject, useLayoutEffect, useState } from 'react';

/** The inner size of an element, followed. 0 × 0 before it is known. */
export const useSize = (ref: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } => {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) {
      return undefined;
    }
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((last) => (last.width === width && last.height === height ? last : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
};

let charWidth: number | undefined;

/** Width in pixels of one character of the monospaced face at its 12 px size. */
export const monoCharWidth = (): number => {
  if (charWidth === undefined) {
    const probe = document.createElement('span');
    probe.className = 'mono visually-hidden';
    probe.textContent = '0'.repeat(100);
    probe.style.width = 'auto';
    document.body.append(probe);
    charWidth = probe.getBoundingClientRect().width / 100 || 7.2;
    probe.remove();
  }
  return charWidth;
};
