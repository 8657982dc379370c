/** A value that is opened: how many children it has, and which of them are opened in turn. */
export interface OpenValue {
  readonly count: number;
  readonly inside: ReadonlyMap<number, OpenValue>;
}

/** Indices that lead from the list of trees to a value: the tree's place first. */
export type ValuePath = readonly number[];

/** One line of the opened trees. */
export interface ValueLine {
  readonly path: ValuePath;
  /** 1 for a root, as `aria-level` counts. */
  readonly level: number;
  /** Number of its siblings, itself included. */
  readonly siblings: number;
  readonly isOpen: boolean;
}

/** A list of trees of which none is opened. */
export const closedTrees = (count: number): OpenValue => ({ count, inside: new Map() });

/** Lines below an opened value. Takes time with the number of opened values, not with the lines. */
export const lineCount = ({ count, inside }: OpenValue): number => {
  let lines = count;
  for (const child of inside.values()) {
    lines += lineCount(child);
  }
  return lines;
};

const openedInOrder = ({ inside }: OpenValue): readonly (readonly [number, OpenValue])[] =>
  [...inside].sort(([a], [b]) => a - b);

/** The line at a place, from 0; undefined past the end. */
export const lineAt = (trees: OpenValue, place: number): ValueLine | undefined => {
  let open = trees;
  let left = place;
  const path: number[] = [];
  for (;;) {
    let deeper: OpenValue | undefined;
    // Children up to `left` stand before it one line each, and what is opened between them takes more.
    for (const [index, child] of openedInOrder(open)) {
      if (index >= left) {
        break;
      }
      const lines = lineCount(child);
      if (left - index <= lines) {
        path.push(index);
        left -= index + 1;
        deeper = child;
        break;
      }
      left -= lines;
    }
    if (deeper === undefined) {
      return left < 0 || left >= open.count
        ? undefined
        : { path: [...path, left], level: path.length + 1, siblings: open.count, isOpen: open.inside.has(left) };
    }
    open = deeper;
  }
};

/** The place of the line a path leads to; undefined when something on the way is closed or not there. */
export const placeOf = (trees: OpenValue, path: ValuePath): number | undefined => {
  let open: OpenValue | undefined = trees;
  let place = -1;
  for (const index of path) {
    if (open === undefined || index >= open.count) {
      return undefined;
    }
    for (const [before, child] of open.inside) {
      place += before < index ? lineCount(child) : 0;
    }
    place += index + 1;
    open = open.inside.get(index);
  }
  return place < 0 ? undefined : place;
};

/** The opened value a path leads to. */
export const openedAt = (trees: OpenValue, path: ValuePath): OpenValue | undefined => {
  let open: OpenValue | undefined = trees;
  for (const index of path) {
    open = open?.inside.get(index);
  }
  return open;
};

/** Opens a value, whose parents are opened, to show its `count` children; with no count closes it. */
export const setOpened = (trees: OpenValue, path: ValuePath, count: number | undefined): OpenValue => {
  const [index, ...rest] = path;
  if (index === undefined) {
    return trees;
  }
  const inside = new Map(trees.inside);
  const child = inside.get(index);
  if (rest.length > 0) {
    if (child === undefined) {
      return trees;
    }
    inside.set(index, setOpened(child, rest, count));
  } else if (count === undefined) {
    inside.delete(index);
  } else {
    inside.set(index, child ?? { count, inside: new Map() });
  }
  return { count: trees.count, inside };
};
