import type { PickleNode } from '../pickle/nodes.ts';
import { textOfNode } from './read-node.ts';
import { readTensor, type TensorReading } from './torch-tensor.ts';

/** A tensor found in a pickle's value tree, under the path that leads to it. */
export interface FoundTensor {
  readonly path: string;
  readonly reading: Extract<TensorReading, { kind: 'tensor' | 'refused' }>;
  /** Byte of the pickle where it is made. */
  readonly offset: number;
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
  /** Containers above, by identity: a container inside itself is not entered again. */
  readonly above: Above | undefined;
}

interface Above {
  readonly node: PickleNode;
  readonly above: Above | undefined;
}

const isAbove = (node: PickleNode, above: Above | undefined): boolean => {
  for (let at = above; at !== undefined; at = at.above) {
    if (at.node === node) {
      return true;
    }
  }
  return false;
};

/** A path with one more step: text keys are joined by dots, numbers stand in brackets. */
const step = (path: string, key: PickleNode | number): string => {
  const text = typeof key === 'number' ? undefined : textOfNode(key);
  const label =
    text ?? (typeof key === 'number' ? `[${key}]` : key.kind === 'int' ? `[${key.value}]` : `[${key.kind}]`);
  const joined = text === undefined || path === '' ? `${path}${label}` : `${path}.${label}`;
  return joined.length > LONGEST_PATH ? joined.slice(0, LONGEST_PATH) : joined;
};

/** Children of a container, the last first, so that a stack yields them in order. */
const childrenOf = (node: PickleNode): { readonly key: PickleNode | number; readonly value: PickleNode }[] => {
  const children: { key: PickleNode | number; value: PickleNode }[] = [];
  const pairs = (keys: readonly PickleNode[], values: readonly PickleNode[]): void => {
    keys.forEach((key, index) => {
      const value = values[index];
      if (value !== undefined) {
        children.push({ key, value });
      }
    });
  };
  const items = (list: readonly PickleNode[]): void => {
    list.forEach((value, index) => {
      children.push({ key: index, value });
    });
  };
  switch (node.kind) {
    case 'dict':
      pairs(node.keys, node.values);
      break;
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      items(node.items);
      break;
    case 'call':
      if (node.added !== undefined) {
        pairs(node.added.keys, node.added.values);
        items(node.added.items);
        for (const state of node.added.states) {
          children.push(...childrenOfState(state));
        }
      }
      break;
    default:
      break;
  }
  return children.reverse();
};

/** Attributes of an object: a dict, or a pair of dict and slots. */
const childrenOfState = (state: PickleNode): { key: PickleNode | number; value: PickleNode }[] => {
  const parts = state.kind === 'tuple' ? state.items : [state];
  return parts.flatMap((part) =>
    part.kind === 'dict'
      ? part.keys.flatMap((key, index) => {
          const value = part.values[index];
          return value === undefined ? [] : [{ key, value }];
        })
      : [],
  );
};

/** What a walk found, and whether it saw everything. */
export interface Collected {
  readonly tensors: readonly FoundTensor[];
  readonly complete: boolean;
}

/**
 * Finds every tensor in a value tree, in the order of the tree, under a typed path: `state_dict.model.weight`,
 * `optimizer.state[0].exp_avg`. A tensor that several places share is found at each. Walks without recursion and never
 * into a container from inside itself.
 */
export const collectTensors = (root: PickleNode): Collected => {
  const tensors: FoundTensor[] = [];
  const stack: Visit[] = [{ node: root, path: '', above: undefined }];
  let visited = 0;
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    visited += 1;
    if (visited > MOST_VISITED) {
      return { tensors, complete: false };
    }
    const { node, path, above } = visit;
    const reading = visit.as ?? readTensor(node);
    if (reading.kind === 'tensor' || reading.kind === 'refused') {
      tensors.push({ path, reading, offset: node.offset });
    } else if (reading.kind === 'parts') {
      for (const { name, content } of [...reading.parts].reverse()) {
        const partPath = path === '' ? name : `${path}.${name}`;
        stack.push(
          'offset' in content
            ? { node: content, path: partPath, above: { node, above } }
            : { node, as: content, path: partPath, above },
        );
      }
    } else if (reading.kind === 'inside') {
      stack.push({ node: reading.node, path, above: { node, above } });
    } else if (!isAbove(node, above)) {
      for (const { key, value } of childrenOf(node)) {
        stack.push({ node: value, path: step(path, key), above: { node, above } });
      }
    }
  }
  return { tensors, complete: true };
};
