import type { ValueRole } from '../../../shared/pickle-types.ts';
import type { CallNode, PickleNode } from './nodes.ts';
import { shortText } from './short-text.ts';

/** What a child is to its parent. */
export type TreeRole = Exclude<ValueRole, 'root'>;

/** One child of a node, as a row of a tree. */
export interface TreeRow {
  readonly role: TreeRole;
  /** Its place among the children of its role, from 0. */
  readonly index: number;
  /** Key of an entry or keyword. */
  readonly key: PickleNode | undefined;
  /** The key in one line, or the index. Raw text from the file. */
  readonly label: string;
  readonly node: PickleNode;
  /** The node in one line; see `shortText`. */
  readonly text: string;
  /** How many children it has in turn; 0 where it is one of its own ancestors. */
  readonly children: number;
  /** Whether it is one of its own ancestors: such a row must not be opened. */
  readonly cycle: boolean;
}

/** Children of one role. */
interface Section {
  readonly role: TreeRole;
  readonly nodes: readonly PickleNode[];
  readonly keys?: readonly PickleNode[];
}

const sectionsOf = (node: PickleNode): readonly Section[] => {
  switch (node.kind) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return [{ role: 'item', nodes: node.items }];
    case 'dict':
      return [{ role: 'entry', nodes: node.values, keys: node.keys }];
    case 'call':
      return callSections(node);
    case 'persistent':
      return [{ role: 'persistent-id', nodes: [node.id] }];
    case 'computed-global':
      return [
        { role: 'module', nodes: [node.module] },
        { role: 'name', nodes: [node.name] },
      ];
    default:
      return [];
  }
};

const callSections = ({ callee, args, kwargs, added }: CallNode): readonly Section[] => [
  { role: 'callee', nodes: [callee] },
  { role: 'argument', nodes: args.kind === 'tuple' ? args.items : [args] },
  kwargs?.kind === 'dict'
    ? { role: 'keyword', nodes: kwargs.values, keys: kwargs.keys }
    : { role: 'keyword', nodes: kwargs === undefined ? [] : [kwargs] },
  { role: 'item', nodes: added?.items ?? [] },
  { role: 'entry', nodes: added?.values ?? [], keys: added?.keys ?? [] },
  { role: 'state', nodes: added?.states ?? [] },
];

/** How many children {@link childrenOf} has for a node. */
export const childCount = (node: PickleNode): number =>
  sectionsOf(node).reduce((sum, { nodes }) => sum + nodes.length, 0);

/** Child `index` of a node, in the order of {@link childrenOf}; undefined past the end. Takes no time for what hangs on it. */
export const childAt = (node: PickleNode, index: number): PickleNode | undefined => {
  let skipped = 0;
  for (const { nodes } of sectionsOf(node)) {
    if (index < skipped + nodes.length) {
      return nodes[index - skipped];
    }
    skipped += nodes.length;
  }
  return undefined;
};

/**
 * Children `[start, start + count)` of a node, in the order: callee, arguments, keywords, items, entries, states. Work
 * is proportional to `count`, not to what hangs on the children. `ancestors` are the node's own, for telling cycles.
 */
export const childrenOf = (
  node: PickleNode,
  start: number,
  count: number,
  ancestors: readonly PickleNode[] = [],
): readonly TreeRow[] => {
  const rows: TreeRow[] = [];
  let skipped = 0;
  for (const { role, nodes, keys } of sectionsOf(node)) {
    const from = Math.max(0, start - skipped);
    for (let index = from; index < nodes.length && rows.length < count; index += 1) {
      const child = nodes[index];
      if (child !== undefined) {
        rows.push(rowOf(role, index, keys?.[index], child, child === node || ancestors.includes(child)));
      }
    }
    skipped += nodes.length;
  }
  return rows;
};

const rowOf = (
  role: TreeRole,
  index: number,
  key: PickleNode | undefined,
  node: PickleNode,
  cycle: boolean,
): TreeRow => ({
  role,
  index,
  key,
  label: key === undefined ? String(index) : shortText(key),
  node,
  text: shortText(node),
  children: cycle ? 0 : childCount(node),
  cycle,
});
