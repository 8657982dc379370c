import type { Int, TensorRow } from '../../../shared/checkpoint-types.ts';
import { compareKeys, naturalKey } from '../table/natural-key.ts';

/** A folder of the tensor tree: every tensor whose dotted name starts with `path` and a dot. */
export interface TreeFolder {
  readonly kind: 'folder';
  /** Dotted path from the root, unique among folders. */
  readonly path: string;
  /** Last part of the path; several parts when folders with a single child were joined with it. */
  readonly label: string;
  readonly children: readonly TreeNode[];
  /** Its tensors are `order[start] … order[end − 1]` of the {@link TensorTree}. */
  readonly start: number;
  readonly end: number;
  readonly parameters: Int;
  readonly bytes: number;
  /** Number of children when all of them are numbered folders, as the layers of a model are; otherwise 0. */
  readonly repeats: number;
  /** How many of its tensors are absent. */
  readonly absent: number;
}

/** One tensor in the tree. */
export interface TreeLeaf {
  readonly kind: 'leaf';
  /** Last part of the name; several parts when it was the only tensor of its folder. */
  readonly label: string;
  readonly row: TensorRow;
  /** Its place in the tree's `order`. */
  readonly place: number;
}

export type TreeNode = TreeFolder | TreeLeaf;

/** All tensors by dotted path, in natural order. */
export interface TensorTree {
  readonly roots: readonly TreeNode[];
  /** Rows in tree order. */
  readonly order: readonly TensorRow[];
}

/** Names with more parts than this keep the rest in one label: a hostile name may hold a million dots. */
export const DEPTH_LIMIT = 32;

interface DraftLeaf {
  readonly label: string;
  readonly row: TensorRow;
}

/** A folder while the tree is built. Most hold one tensor only, so nothing is made before it is needed. */
interface Draft {
  folders: Map<string, Draft> | undefined;
  leaves: DraftLeaf[] | undefined;
}

const newDraft = (): Draft => ({ folders: undefined, leaves: undefined });

const insert = (root: Draft, row: TensorRow): void => {
  const { name } = row;
  let draft = root;
  let at = 0;
  for (let depth = 1; depth < DEPTH_LIMIT; depth += 1) {
    const dot = name.indexOf('.', at);
    if (dot < 0) {
      break;
    }
    const part = name.slice(at, dot);
    draft.folders ??= new Map();
    let next = draft.folders.get(part);
    if (next === undefined) {
      next = newDraft();
      draft.folders.set(part, next);
    }
    draft = next;
    at = dot + 1;
  }
  draft.leaves ??= [];
  draft.leaves.push({ label: name.slice(at), row });
};

/** Adds counts, staying exact beyond 2^53. */
export const addInts = (a: Int, b: Int): Int => {
  if (typeof a === 'number' && typeof b === 'number' && a + b <= Number.MAX_SAFE_INTEGER) {
    return a + b;
  }
  return BigInt(a) + BigInt(b);
};

const isNumber = (label: string): boolean => /^\d+$/.test(label);

const finishFolder = (draft: Draft, path: string, label: string, order: TensorRow[]): TreeNode => {
  const start = order.length;
  const { folders, leaves } = draft;
  // A folder with a single child is joined with it: `base_model.model`, `down_proj.weight`.
  if (leaves === undefined && folders?.size === 1) {
    for (const [part, folder] of folders) {
      return finishFolder(folder, `${path}.${part}`, `${label}.${part}`, order);
    }
  }
  const [leaf] = leaves ?? [];
  if (leaf !== undefined && leaves?.length === 1 && folders === undefined) {
    order.push(leaf.row);
    return { kind: 'leaf', label: `${label}.${leaf.label}`, row: leaf.row, place: start };
  }
  const children = finishChildren(draft, path, order);
  let parameters: Int = 0;
  let bytes = 0;
  let absent = 0;
  for (let at = start; at < order.length; at += 1) {
    const row = order[at];
    parameters = addInts(parameters, row?.parameters ?? 0);
    bytes += row?.bytes ?? 0;
    absent += row?.layout === 'absent' ? 1 : 0;
  }
  const numbered = children.every((child) => child.kind === 'folder' && isNumber(child.label.split('.', 1)[0] ?? ''));
  const repeats = numbered && children.length > 1 ? children.length : 0;
  return { kind: 'folder', path, label, children, start, end: order.length, parameters, bytes, repeats, absent };
};

/** Longest part of a label that its order is told by. */
const KEY_LENGTH = 1000;

const keyOf = (label: string): string => naturalKey(label.length > KEY_LENGTH ? label.slice(0, KEY_LENGTH) : label);

const finishChildren = (draft: Draft, path: string, order: TensorRow[]): readonly TreeNode[] => {
  const entries: { readonly key: string; readonly label: string; readonly child: Draft | TensorRow }[] = [];
  for (const { label, row } of draft.leaves ?? []) {
    entries.push({ key: keyOf(label), label, child: row });
  }
  for (const [label, folder] of draft.folders ?? []) {
    entries.push({ key: keyOf(label), label, child: folder });
  }
  entries.sort((a, b) => compareKeys(a.key, b.key));
  return entries.map(({ label, child }): TreeNode => {
    if ('leaves' in child) {
      return finishFolder(child, path === '' ? label : `${path}.${label}`, label, order);
    }
    order.push(child);
    return { kind: 'leaf', label, row: child, place: order.length - 1 };
  });
};

/** Builds the tree of all tensors. Equal names become separate leaves. */
export const buildTree = (rows: readonly TensorRow[]): TensorTree => {
  const root = newDraft();
  for (const row of rows) {
    insert(root, row);
  }
  const order: TensorRow[] = [];
  const roots = finishChildren(root, '', order);
  return { roots, order };
};
