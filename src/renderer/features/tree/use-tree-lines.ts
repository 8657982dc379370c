import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSession } from '../../state/context.tsx';
import { compileFilter } from '../table/filter-query.ts';
import { searchName } from '../table/shown-rows.ts';
import type { TensorTree } from './build-tree.ts';
import { countMatches, flattenTree, foldersAbove, initiallyExpanded, type TreeLine } from './flatten-tree.ts';

/** The tree's visible lines and how to open and close folders. While a filter is set, folders start out open. */
export interface TreeLines {
  readonly lines: readonly TreeLine[];
  setExpanded(path: string, expanded: boolean): void;
}

/** Follows the tree's filter, and opens the folders above a tensor that is selected anywhere. */
export const useTreeLines = (tree: TensorTree): TreeLines => {
  const filter = useSession((state) => state.treeFilter);
  const selectedId = useSession((state) => state.selectedId);
  const [expanded, setExpandedPaths] = useState<ReadonlySet<string>>(() => initiallyExpanded(tree));
  const [closedInFilter, setClosedInFilter] = useState<ReadonlySet<string>>(new Set<string>());

  const before = useMemo(() => {
    const test = compileFilter(filter);
    if (test === undefined) {
      return undefined;
    }
    return countMatches(tree, (place) => {
      const row = tree.order[place];
      return row !== undefined && test(row, searchName(row.name));
    });
  }, [tree, filter]);
  const isFiltered = before !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new filter starts with all folders open
  useEffect(() => setClosedInFilter(new Set<string>()), [filter]);
  useEffect(() => {
    if (selectedId !== undefined) {
      const above = foldersAbove(tree, selectedId);
      setExpandedPaths((old) => (above.every((path) => old.has(path)) ? old : new Set([...old, ...above])));
    }
  }, [tree, selectedId]);

  const lines = useMemo(
    () => flattenTree(tree, ({ path }) => (isFiltered ? !closedInFilter.has(path) : expanded.has(path)), before),
    [tree, expanded, closedInFilter, before, isFiltered],
  );

  const setExpanded = useCallback(
    (path: string, open: boolean) => {
      const change = (old: ReadonlySet<string>, add: boolean): ReadonlySet<string> => {
        const next = new Set(old);
        if (add) {
          next.add(path);
        } else {
          next.delete(path);
        }
        return next;
      };
      if (isFiltered) {
        setClosedInFilter((old) => change(old, !open));
      } else {
        setExpandedPaths((old) => change(old, open));
      }
    },
    [isFiltered],
  );
  return { lines, setExpanded };
};
