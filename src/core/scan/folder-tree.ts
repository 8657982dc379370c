/** Folders of tensors by their dotted names: those with at least two children, and the whole. */
export interface FolderTree {
  /** Dotted paths without a dot at the end, parents before their children; the first is `''`, the whole. */
  readonly paths: readonly string[];
  /** The folder that each folder lies in; of the whole −1. */
  readonly parents: Int32Array;
  /** The innermost folder of each tensor. */
  readonly folderOf: Uint32Array;
  /** Tensors and folders directly in each folder. */
  readonly children: Uint32Array;
}

/** Names with more parts than this keep the rest in one part: a hostile name may hold a million dots. */
const DEPTH_LIMIT = 32;

interface Draft {
  folders: Map<string, Draft> | undefined;
  tensors: number[] | undefined;
}

const draftOf = (length: number, nameOf: (id: number) => string): Draft => {
  const root: Draft = { folders: undefined, tensors: undefined };
  for (let id = 0; id < length; id += 1) {
    const name = nameOf(id);
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
        next = { folders: undefined, tensors: undefined };
        draft.folders.set(part, next);
      }
      draft = next;
      at = dot + 1;
    }
    draft.tensors ??= [];
    draft.tensors.push(id);
  }
  return root;
};

/**
 * The folders of a list of names, in the order in which they are first named. A folder with a single child says nothing that
 * the child does not, and is left out.
 */
export const folderTree = (length: number, nameOf: (id: number) => string): FolderTree => {
  const paths: string[] = [];
  const parents: number[] = [];
  const children: number[] = [];
  const folderOf = new Uint32Array(length);
  const visit = (draft: Draft, path: string, parent: number): void => {
    const { folders, tensors = [] } = draft;
    const own = tensors.length + (folders?.size ?? 0);
    const kept = parent < 0 || own > 1;
    const folder = kept ? paths.length : parent;
    if (kept) {
      paths.push(path);
      parents.push(parent);
      children.push(0);
      if (parent >= 0) {
        children[parent] = (children[parent] ?? 0) + 1;
      }
    }
    for (const id of tensors) {
      folderOf[id] = folder;
      children[folder] = (children[folder] ?? 0) + 1;
    }
    for (const [part, inner] of folders ?? []) {
      visit(inner, parent < 0 && path === '' ? part : `${path}.${part}`, folder);
    }
  };
  visit(draftOf(length, nameOf), '', -1);
  return { paths, parents: Int32Array.from(parents), folderOf, children: Uint32Array.from(children) };
};

/** Ids of all tensors, folder by folder, so that each folder is done with before the next one is begun. */
export const folderOrder = ({ folderOf, parents, paths }: FolderTree): Uint32Array => {
  const length = folderOf.length;
  const inFolder = new Uint32Array(paths.length + 1);
  for (const folder of folderOf) {
    inFolder[folder + 1] = (inFolder[folder + 1] ?? 0) + 1;
  }
  // Folders are numbered parents first, each followed by all below it, so their numbers are the order.
  for (let folder = 1; folder <= parents.length; folder += 1) {
    inFolder[folder] = (inFolder[folder] ?? 0) + (inFolder[folder - 1] ?? 0);
  }
  const order = new Uint32Array(length);
  for (let id = 0; id < length; id += 1) {
    const folder = folderOf[id] ?? 0;
    const at = inFolder[folder] ?? 0;
    order[at] = id;
    inFolder[folder] = at + 1;
  }
  return order;
};
