import { lineAt, lineCount, type OpenValue, placeOf, type ValueLine } from './open-values.ts';

/** What a key does in a value tree (WAI-ARIA tree pattern). */
export type ValueAction =
  | { readonly kind: 'move'; readonly to: number }
  /** `choose`: what Enter means for the value, such as to open it. */
  | { readonly kind: 'open' | 'close' | 'choose'; readonly line: ValueLine };

/** What pressing `key` on the line at `at` does; undefined for keys the tree leaves alone. */
export const valueAction = (
  key: string,
  trees: OpenValue,
  at: number,
  page: number,
  canOpen: boolean,
): ValueAction | undefined => {
  const line = lineAt(trees, at);
  const last = lineCount(trees) - 1;
  if (line === undefined) {
    return last >= 0 && key === 'ArrowDown' ? { kind: 'move', to: 0 } : undefined;
  }
  switch (key) {
    case 'ArrowDown':
      return { kind: 'move', to: Math.min(last, at + 1) };
    case 'ArrowUp':
      return { kind: 'move', to: Math.max(0, at - 1) };
    case 'Home':
      return { kind: 'move', to: 0 };
    case 'End':
      return { kind: 'move', to: last };
    case 'PageDown':
      return { kind: 'move', to: Math.min(last, at + page) };
    case 'PageUp':
      return { kind: 'move', to: Math.max(0, at - page) };
    case 'ArrowRight':
      return line.isOpen ? { kind: 'move', to: Math.min(last, at + 1) } : canOpen ? { kind: 'open', line } : undefined;
    case 'ArrowLeft':
      return line.isOpen ? { kind: 'close', line } : { kind: 'move', to: placeOf(trees, line.path.slice(0, -1)) ?? at };
    case 'Enter':
    case ' ':
      return { kind: 'choose', line };
    default:
      return undefined;
  }
};
