import type { TreeLine } from './flatten-tree.ts';

/** What a key does in the tree (WAI-ARIA tree pattern). */
export type TreeAction =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'expand' | 'collapse' | 'choose'; readonly at: number };

const parentOf = (lines: readonly TreeLine[], at: number): number => {
  const level = lines[at]?.level ?? 1;
  for (let index = at - 1; index >= 0; index -= 1) {
    if ((lines[index]?.level ?? 0) < level) {
      return index;
    }
  }
  return at;
};

const rightKey = (line: TreeLine, at: number): TreeAction | undefined => {
  if (line.expanded === undefined) {
    return undefined;
  }
  return line.expanded ? { kind: 'move', to: at + 1 } : { kind: 'expand', at };
};

const byLetter = (lines: readonly TreeLine[], at: number, letter: string): TreeAction | undefined => {
  for (let step = 1; step <= lines.length; step += 1) {
    const to = (at + step) % lines.length;
    if (lines[to]?.node.label.toLowerCase().startsWith(letter.toLowerCase()) === true) {
      return { kind: 'move', to };
    }
  }
  return undefined;
};

/** What pressing `key` on line `at` does; undefined for keys the tree leaves alone. */
export const treeAction = (
  key: string,
  lines: readonly TreeLine[],
  at: number,
  pageLines: number,
): TreeAction | undefined => {
  const last = lines.length - 1;
  const line = lines[at];
  if (line === undefined) {
    return lines.length > 0 && key === 'ArrowDown' ? { kind: 'move', to: 0 } : undefined;
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
      return { kind: 'move', to: Math.min(last, at + pageLines) };
    case 'PageUp':
      return { kind: 'move', to: Math.max(0, at - pageLines) };
    case 'ArrowRight':
      return rightKey(line, at);
    case 'ArrowLeft':
      return line.expanded === true ? { kind: 'collapse', at } : { kind: 'move', to: parentOf(lines, at) };
    case 'Enter':
    case ' ':
      return { kind: 'choose', at };
    default:
      return key.length === 1 && /[^\s/]/.test(key) ? byLetter(lines, at, key) : undefined;
  }
};
