import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { PAGE_LIMIT } from '../../../shared/api.ts';
import type { ValueWindow } from '../../../shared/checkpoint-types.ts';
import { useSession, useWorkspace } from '../../state/context.tsx';
import { type GridLayout, type GridPage, locateCell, PAGE_COLUMNS, PAGE_ROWS, pageSlice } from './grid-layout.ts';

/** One element as the grid shows it. */
export interface CellValue {
  readonly text: string;
  readonly bits: string;
}

/** Reads cells that have arrived. */
export interface ValuePages {
  cell(row: number, column: number): CellValue | undefined;
  readonly error: Error | undefined;
  retry(): void;
}

const pagesBetween = (
  layout: GridLayout,
  rows: { readonly first: number; readonly end: number },
  columns: { readonly first: number; readonly end: number },
): readonly GridPage[] => {
  const pages: GridPage[] = [];
  const lastColumn = layout.kind === 'matrix' ? Math.floor(Math.max(0, columns.end - 1) / PAGE_COLUMNS) : 0;
  const firstColumn = layout.kind === 'matrix' ? Math.floor(columns.first / PAGE_COLUMNS) : 0;
  for (
    let row = Math.floor(rows.first / PAGE_ROWS);
    row <= Math.floor(Math.max(0, rows.end - 1) / PAGE_ROWS);
    row += 1
  ) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      pages.push({ row, column });
    }
  }
  return pages;
};

/** Fetches the pages of values in view; pages that left the view are kept for a minute. */
export const useValuePages = (
  tensorId: number,
  layout: GridLayout,
  indices: readonly number[],
  rows: { readonly first: number; readonly end: number },
  columns: { readonly first: number; readonly end: number },
): ValuePages => {
  const workspace = useWorkspace();
  const sessionId = useSession((state) => state.sessionId);
  const pages = layout.rows === 0 || layout.columns === 0 ? [] : pagesBetween(layout, rows, columns);
  const results = useQueries({
    queries: pages.map((page) => {
      const slice = pageSlice(layout, indices, page);
      return {
        queryKey: ['values', sessionId, tensorId, slice ?? ''],
        queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<ValueWindow> =>
          workspace
            .client()
            .api.values({ sessionId, tensorId, limit: PAGE_LIMIT, ...(slice === undefined ? {} : { slice }) }, signal),
        placeholderData: keepPreviousData,
      };
    }),
  });
  const byPage = new Map(
    pages.map((page, index) => {
      const result = results[index];
      return [`${page.row},${page.column}`, result?.isPlaceholderData === true ? undefined : result?.data] as const;
    }),
  );
  const failed = results.find(({ error }) => error !== null);
  return {
    cell: (row, column) => {
      const { page, at } = locateCell(layout, row, column);
      const window = byPage.get(`${page.row},${page.column}`);
      const text = window?.texts[at];
      return text === undefined ? undefined : { text, bits: window?.bits[at] ?? '' };
    },
    error: failed?.error ?? undefined,
    retry: () => {
      for (const result of results) {
        if (result.error !== null) {
          void result.refetch();
        }
      }
    },
  };
};
