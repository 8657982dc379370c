import type { Pause } from './graded-events.ts';
import type { PickleNode } from './nodes.ts';
import { childAt, childCount } from './tree-view.ts';

/** Objects with children that are looked at; sharing among further ones is not told. */
const MOST_OBJECTS = 1_000_000;
/** Children looked at without a pause: a few milliseconds. */
const STRETCH = 20_000;

interface Place {
  readonly parent: PickleNode;
  readonly index: number;
}

interface Walk {
  readonly node: PickleNode;
  readonly children: number;
  next: number;
}

/**
 * Which objects of a value tree stand at several places, and the first place of each, in the order of the tree. Objects
 * without children are left out: of those one place says as much as the other.
 */
export class SharedObjects {
  readonly #first = new Map<PickleNode, Place>();
  readonly #shared = new Set<PickleNode>();

  /** Walks a tree without recursion, each object once; `isLeaf` ends it. Takes time with its size, in stretches. */
  static async of(root: PickleNode, isLeaf: (node: PickleNode) => boolean, pause: Pause): Promise<SharedObjects> {
    const found = new SharedObjects();
    const stack: Walk[] = [{ node: root, children: childCount(root), next: 0 }];
    let steps = 0;
    for (let top = stack.at(-1); top !== undefined && found.#first.size < MOST_OBJECTS; top = stack.at(-1)) {
      if (top.next === top.children) {
        stack.pop();
        continue;
      }
      const index = top.next;
      top.next += 1;
      steps += 1;
      if (steps % STRETCH === 0) {
        await pause();
      }
      const node = childAt(top.node, index);
      const children = node === undefined || node === root || isLeaf(node) ? 0 : childCount(node);
      if (node === undefined || children === 0) {
        continue;
      }
      if (found.#first.has(node)) {
        found.#shared.add(node);
      } else {
        found.#first.set(node, { parent: top.node, index });
        stack.push({ node, children, next: 0 });
      }
    }
    return found;
  }

  /** Child indices from the root to the first place of an object; undefined unless it stands elsewhere too. */
  pathTo(node: PickleNode): readonly number[] | undefined {
    return this.#shared.has(node) ? this.#path(node) : undefined;
  }

  #path(node: PickleNode): readonly number[] {
    const path: number[] = [];
    for (let at = this.#first.get(node); at !== undefined; at = this.#first.get(at.parent)) {
      path.push(at.index);
    }
    return path.reverse();
  }
}
