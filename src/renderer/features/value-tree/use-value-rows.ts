import type { PickleOverview, ValueRow } from '../../../shared/pickle-types.ts';
import { useSession, useWorkspace } from '../../state/context.tsx';
import { PAGE_ROWS, usePages } from '../../state/use-row-pages.ts';
import type { ValueLine, ValuePath } from './open-values.ts';

/** Rows of the lines in view, as far as they are here. */
export interface ValueRows {
  row(path: ValuePath): ValueRow | undefined;
  readonly error: Error | undefined;
  retry(): void;
}

interface PageOfValue {
  readonly key: readonly unknown[];
  readonly start: number;
  readonly tree: number;
  readonly at: readonly number[];
}

const pageStart = (index: number): number => Math.floor(index / PAGE_ROWS) * PAGE_ROWS;

/** Fetches the pages of children that the lines in view belong to. */
export const useValueRows = (overview: PickleOverview, lines: readonly ValueLine[]): ValueRows => {
  const { client } = useWorkspace();
  const sessionId = useSession((state) => state.sessionId);
  const keyOf = (parent: ValuePath): readonly unknown[] => ['value-children', sessionId, parent.join()];
  const pages = new Map<string, PageOfValue>();
  for (const { path } of lines) {
    const parent = path.slice(0, -1);
    const [tree, ...at] = parent;
    const start = pageStart(path.at(-1) ?? 0);
    if (tree !== undefined) {
      pages.set(`${parent.join()} ${start}`, { key: keyOf(parent), start, tree, at });
    }
  }
  const { pageOf, error, retry } = usePages<ValueRow, PageOfValue>([...pages.values()], ({ tree, at, start }, signal) =>
    client().api.valueChildren({ sessionId, tree, at: [...at], start, count: PAGE_ROWS }, signal),
  );
  return {
    row: (path) => {
      const index = path.at(-1) ?? 0;
      const start = pageStart(index);
      return path.length === 1
        ? overview.trees[index]?.root
        : pageOf(keyOf(path.slice(0, -1)), start)?.rows[index - start];
    },
    error,
    retry,
  };
};
