import type { SamePlace, ValueRow, ValueText } from '../../../shared/pickle-types.ts';
import type { ValueTree } from '../../checkpoint-content.ts';
import type { Pause } from './graded-events.ts';
import { textOf } from './node-values.ts';
import type { PickleNode } from './nodes.ts';
import { SharedObjects } from './shared-objects.ts';
import { shortText } from './short-text.ts';
import { childAt, childCount, childrenOf, type TreeRow } from './tree-view.ts';

/** Levels that can be opened. Ordinary checkpoints have ten; CPython's pickler ends at about a thousand. */
export const DEEPEST_PATH = 500;
/** Characters of a path in words. */
const LONGEST_PATH_TEXT = 200;
/** Tensors looked up without a pause: a few milliseconds. */
const STRETCH = 20_000;
/** Bytes of a bytes object written out. */
const MOST_BYTES = 4096;

/** One value tree by pages: rows of the children of any object, addressed by child indices from the root. */
export class ValueTreeView {
  readonly #tree: ValueTree;
  /** Rows of the table by the node that stands for them. */
  readonly #tensors: ReadonlyMap<PickleNode, readonly number[]>;
  readonly #shared: SharedObjects;

  private constructor(tree: ValueTree, tensors: ReadonlyMap<PickleNode, readonly number[]>, shared: SharedObjects) {
    this.#tree = tree;
    this.#tensors = tensors;
    this.#shared = shared;
  }

  /** Finds what the tree holds several times. Takes time with its size, in stretches of a few milliseconds. */
  static async of(tree: ValueTree, pause: Pause): Promise<ValueTreeView> {
    const tensors = new Map<PickleNode, number[]>();
    for (const [index, node] of (tree.tensors ?? []).entries()) {
      const ids = tensors.get(node);
      const id = (tree.firstTensor ?? 0) + index;
      if (ids === undefined) {
        tensors.set(node, [id]);
      } else {
        ids.push(id);
      }
      if (index % STRETCH === STRETCH - 1) {
        await pause();
      }
    }
    return new ValueTreeView(tree, tensors, await SharedObjects.of(tree.root, (node) => tensors.has(node), pause));
  }

  get name(): string {
    return this.#tree.name;
  }

  /** The root as a row, whose index is the tree's place among the file's. */
  rootRow(place: number): ValueRow {
    const { root } = this.#tree;
    const children = this.#tensors.has(root) ? 0 : childCount(root);
    const row = { role: 'root', index: 0, label: this.#tree.name, node: root, text: shortText(root) } as const;
    return this.#valueRow({ ...row, children, cycle: false }, place, [], []);
  }

  /** How many children the object at a path has; undefined when there is no object to open there. */
  childCount(path: readonly number[]): number | undefined {
    const node = this.#along(path)?.at(-1);
    return node === undefined ? undefined : childCount(node);
  }

  /**
   * Children `[start, start + count)` of the object at a path.
   *
   * @param nameOf the name of a row of the table, to tell rows apart that one object stands for.
   */
  children(path: readonly number[], start: number, count: number, nameOf: (id: number) => string): readonly ValueRow[] {
    const nodes = this.#along(path);
    const parent = nodes?.at(-1);
    if (nodes === undefined || parent === undefined) {
      return [];
    }
    return childrenOf(parent, start, count, nodes).map((row, index) =>
      this.#valueRow(row, start + index, nodes, [...path, start + index], nameOf),
    );
  }

  /** The whole text of the value at a path, up to `most` UTF-16 units; undefined when there is no such value. */
  text(path: readonly number[], most: number): ValueText | undefined {
    const parent = path.length === 0 ? undefined : this.#along(path.slice(0, -1))?.at(-1);
    const node = path.length === 0 ? this.#tree.root : parent && childAt(parent, path.at(-1) ?? 0);
    if (node === undefined) {
      return undefined;
    }
    const text = wholeText(node);
    return { text: text.slice(0, most), length: text.length };
  }

  /** The way to a path in words, as tensors are named. */
  label(path: readonly number[]): string {
    let node: PickleNode | undefined = this.#tree.root;
    let text = '';
    for (const index of path) {
      const row: TreeRow | undefined = node === undefined ? undefined : childrenOf(node, index, 1)[0];
      if (row === undefined || text.length > LONGEST_PATH_TEXT) {
        break;
      }
      const key = row.key === undefined ? undefined : textOf(row.key)?.slice(0, LONGEST_PATH_TEXT);
      text += key === undefined ? `[${row.label}]` : text === '' ? key : `.${key}`;
      node = row.node;
    }
    return text === '' ? this.#tree.name : text;
  }

  #valueRow(
    row: Omit<TreeRow, 'key' | 'role'> & { readonly role: ValueRow['role'] },
    index: number,
    ancestors: readonly PickleNode[],
    path: readonly number[],
    nameOf: (id: number) => string = () => '',
  ): ValueRow {
    const { role, label, node, text } = row;
    const ids = this.#tensors.get(node);
    // One object may stand for several rows, such as tied weights: the one whose name ends as this place does.
    const own = ids?.find((id) => nameOf(id).endsWith(label.replace(/^"|"$/g, ''))) ?? ids?.[0];
    const same = this.#samePlace(row, ancestors, path);
    const closed = own !== undefined || same !== undefined || path.length >= DEEPEST_PATH;
    return {
      index,
      role,
      label,
      kind: node.kind,
      text,
      children: closed ? 0 : row.children,
      same,
      tensorId: own,
      byte: node.offset,
    };
  }

  #samePlace(
    { node, cycle }: Pick<TreeRow, 'node' | 'cycle'>,
    ancestors: readonly PickleNode[],
    path: readonly number[],
  ): SamePlace | undefined {
    if (cycle) {
      const above = path.slice(0, Math.max(0, ancestors.indexOf(node)));
      return { kind: 'inside', path: above, label: this.label(above) };
    }
    const first = this.#shared.pathTo(node);
    return first === undefined || first.join() === path.join()
      ? undefined
      : { kind: 'elsewhere', path: first, label: this.label(first) };
  }

  /** The objects from the root to a path, both included; undefined when the path leads nowhere or to what is closed. */
  #along(path: readonly number[]): readonly PickleNode[] | undefined {
    const nodes: PickleNode[] = [this.#tree.root];
    for (const index of path) {
      const last = nodes.at(-1);
      const next = last === undefined ? undefined : childAt(last, index);
      if (next === undefined || nodes.length > DEEPEST_PATH || nodes.includes(next) || this.#tensors.has(next)) {
        return undefined;
      }
      nodes.push(next);
    }
    return nodes;
  }
}

const wholeText = (node: PickleNode): string => {
  if (node.kind === 'bytes' || node.kind === 'bytearray') {
    const shown = Array.from(node.value.subarray(0, MOST_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(
      ' ',
    );
    const rest = node.value.length - MOST_BYTES;
    return rest > 0 ? `${shown} … ${rest} more bytes` : shown;
  }
  return textOf(node) ?? shortText(node);
};
