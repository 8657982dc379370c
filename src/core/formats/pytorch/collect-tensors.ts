import type { PickleNode } from '../pickle/nodes.ts';
import { NestedStorages } from './nested-storages.ts';
import { type Entry, entriesOf, lastWins, textOfNode, zipEntries } from './read-node.ts';
import type { TensorReading } from './tensor-reading.ts';
import { readTensor } from './torch-tensor.ts';

/** A tensor found in a pickle's value tree, under the path that leads to it. */
export interface FoundTensor {
  readonly path: string;
  readonly reading: Extract<TensorReading, { kind: 'tensor' | 'refused' | 'array' }>;
  /** Byte of the pickle where it is made. */
  readonly offset: number;
  /** The object that stands for it in the tree: itself, or the outermost wrapper around it. */
  readonly node: PickleNode;
}

/** Places visited before the walk gives up: a pickle's sharing can make a tree of any size out of few bytes. */
export const MOST_VISITED = 5_000_000;
/** Longest path kept, in UTF-16 units; a longer one is cut and stays unique by its number. */
const LONGEST_PATH = 4096;

interface Visit {
  readonly node: PickleNode;
  /** What the node is as a tensor, where its holder knows better. */
  readonly as?: TensorReading;
  readonly path: string;
  /** The outermost wrapper it was reached through. */
  readonly wrapper?: PickleNode;
}

/** Stands below a container's children on the stack: when it comes up, the container has been left. */
interface Leave {
  readonly leave: PickleNode;
}

/** A path with one more step: text keys are joined by dots, numbers stand in brackets. */
const step = (path: string, key: PickleNode | number): string => {
  const text = typeof key === 'number' ? undefined : textOfNode(key);
  const label =
    text ?? (typeof key === 'number' ? `[${key}]` : key.kind === 'int' ? `[${key.value}]` : `[${key.kind}]`);
  const joined = text === undefined || path === '' ? `${path}${label}` : `${path}.${label}`;
  return joined.length > LONGEST_PATH ? joined.slice(0, LONGEST_PATH) : joined;
};

interface Child {
  readonly key: PickleNode | number;
  readonly value: PickleNode;
}

const numbered = (items: readonly PickleNode[]): readonly Child[] => items.map((value, key) => ({ key, value }));

/** Children of a container, in order. */
const childrenOf = (node: PickleNode): readonly Child[] => {
  const entries = entriesOf(node);
  switch (node.kind) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return numbered(node.items);
    case 'call': {
      const { added } = node;
      return [
        ...(entries ?? lastWins(zipEntries(added?.keys ?? [], added?.values ?? []))),
        ...numbered(added?.items ?? []),
        ...lastWins((added?.states ?? []).flatMap(entriesOfState)),
      ];
    }
    default:
      return entries ?? [];
  }
};

/** Attributes of an object: a mapping, or a pair of mapping and slots. */
const entriesOfState = (state: PickleNode): readonly Entry[] =>
  (state.kind === 'tuple' ? state.items : [state]).flatMap((part) => entriesOf(part) ?? []);

/** What a walk found, and whether it saw everything. */
export interface Collected {
  readonly tensors: readonly FoundTensor[];
  readonly complete: boolean;
}

/**
 * Finds every tensor in a value tree, in the order of the tree, under a typed path: `state_dict.model.weight`,
 * `optimizer.state[0].exp_avg`. A tensor that several places share is found at each. Walks without recursion and never
 * into a container from inside itself.
 *
 * @param resolve what nodes stand for that only refer to a tensor.
 */
export const collectTensors = (
  root: PickleNode,
  resolve: (node: PickleNode) => TensorReading | undefined = () => undefined,
): Collected => {
  const tensors: FoundTensor[] = [];
  const stack: (Visit | Leave)[] = [{ node: root, path: '' }];
  /** Containers that are being walked. */
  const open = new Set<PickleNode>();
  const nested = new NestedStorages();
  let visited = 0;
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    if ('leave' in visit) {
      open.delete(visit.leave);
      continue;
    }
    visited += 1;
    if (visited > MOST_VISITED) {
      return { tensors, complete: false };
    }
    const { node, path } = visit;
    const reading = visit.as ?? resolve(node) ?? readTensor(node, nested);
    if (reading.kind === 'tensor' || reading.kind === 'refused' || reading.kind === 'array') {
      tensors.push({ path, reading, offset: node.offset, node: visit.wrapper ?? node });
      continue;
    }
    if (open.has(node)) {
      continue;
    }
    open.add(node);
    stack.push({ leave: node });
    for (const next of insideOf(reading, visit).reverse()) {
      stack.push(next);
    }
  }
  return { tensors, complete: true };
};

/** What to visit below a node that is no dense tensor, in order. */
const insideOf = (
  reading: Exclude<TensorReading, FoundTensor['reading']>,
  { node, path, wrapper = node }: Visit,
): Visit[] => {
  switch (reading.kind) {
    case 'parts':
      return reading.parts.map(({ name, content }) => {
        const partPath = path === '' || name === '' ? `${path}${name}` : `${path}.${name}`;
        return 'offset' in content ? { node: content, path: partPath } : { node, as: content, path: partPath, wrapper };
      });
    case 'inside':
      return [{ node: reading.node, path, wrapper }];
    case 'other':
      return childrenOf(node).map(({ key, value }) => ({ node: value, path: step(path, key) }));
  }
};
