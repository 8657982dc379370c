import type { TensorTree, TreeFolder, TreeNode } from './build-tree.ts';

/** One visible line of the tree. */
export interface TreeLine {
  readonly node: TreeNode;
  /** 1 at the root, as `aria-level` counts. */
  readonly level: number;
  /** 1-based place among its visible siblings, and their number. */
  readonly position: number;
  readonly siblings: number;
  readonly expanded: boolean | undefined;
}

/** For each place of the tree's order, how many tensors before it pass the test. */
export const countMatches = (tree: TensorTree, passes: (place: number) => boolean): Uint32Array => {
  const before = new Uint32Array(tree.order.length + 1);
  for (let place = 0; place < tree.order.length; place += 1) {
    before[place + 1] = (before[place] ?? 0) + (passes(place) ? 1 : 0);
  }
  return before;
};

const isKept = (node: TreeNode, before: Uint32Array | undefined): boolean => {
  if (before === undefined) {
    return true;
  }
  const [start, end] = node.kind === 'leaf' ? [node.place, node.place + 1] : [node.start, node.end];
  return (before[end] ?? 0) > (before[start] ?? 0);
};

/**
 * The visible lines, top to bottom. With `before` (see {@link countMatches}) only matching tensors and the folders above
 * them are listed.
 */
export const flattenTree = (
  tree: TensorTree,
  isExpanded: (folder: TreeFolder) => boolean,
  before: Uint32Array | undefined,
): readonly TreeLine[] => {
  const lines: TreeLine[] = [];
  const visit = (nodes: readonly TreeNode[], level: number): void => {
    const kept = before === undefined ? nodes : nodes.filter((node) => isKept(node, before));
    kept.forEach((node, index) => {
      const expanded = node.kind === 'folder' ? isExpanded(node) : undefined;
      lines.push({ node, level, position: index + 1, siblings: kept.length, expanded });
      if (node.kind === 'folder' && expanded === true) {
        visit(node.children, level + 1);
      }
    });
  };
  visit(tree.roots, 1);
  return lines;
};

/** Paths of the folders above a tensor, outermost first, as they appear in the tree. */
export const foldersAbove = (tree: TensorTree, tensorId: number): readonly string[] => {
  const place = tree.order.findIndex((row) => row.id === tensorId);
  const paths: string[] = [];
  let nodes = tree.roots;
  for (;;) {
    const folder = nodes.find((node) => node.kind === 'folder' && place >= node.start && place < node.end);
    if (folder?.kind !== 'folder') {
      return paths;
    }
    paths.push(folder.path);
    nodes = folder.children;
  }
};

/** Folders open at first: the outermost ones, unless that would show a long list of numbered layers. */
export const initiallyExpanded = (tree: TensorTree): ReadonlySet<string> => {
  const open = new Set<string>();
  for (const node of tree.roots) {
    if (node.kind === 'folder' && node.children.length <= 64 && tree.roots.length <= 16) {
      open.add(node.path);
    }
  }
  return open;
};
