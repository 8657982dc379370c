import { useQueries } from '@tanstack/react-query';
import type { Page } from '../../shared/api.ts';

/** Rows of a list that arrives by pages, as far as they are here. */
export interface RowPages<T> {
  row(index: number): T | undefined;
  readonly error: Error | undefined;
  retry(): void;
}

/** Rows of one page. */
export const PAGE_ROWS = 100;

/** Which page of which list. */
interface PageOf {
  readonly key: readonly unknown[];
  readonly start: number;
}

/** Fetches pages of one or several lists; what is not in view any more is kept for a minute. */
export const usePages = <T, L extends PageOf>(
  pages: readonly L[],
  fetchPage: (page: L, signal: AbortSignal) => Promise<Page<T>>,
): { pageOf(key: readonly unknown[], start: number): Page<T> | undefined } & Omit<RowPages<T>, 'row'> => {
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...page.key, page.start],
      queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Page<T>> => fetchPage(page, signal),
    })),
  });
  const here = new Map(
    pages.map(({ key, start }, index) => [JSON.stringify([key, start]), results[index]?.data] as const),
  );
  const failed = results.find(({ error }) => error !== null);
  return {
    pageOf: (key, start) => here.get(JSON.stringify([key, start])),
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

/** Starts of the pages that hold lines `[first, end)` of a list. */
export const pageStarts = (first: number, end: number): readonly number[] => {
  const starts: number[] = [];
  for (let start = Math.floor(first / PAGE_ROWS) * PAGE_ROWS; start < end; start += PAGE_ROWS) {
    starts.push(start);
  }
  return starts;
};

/** Fetches the rows of one list that are in view. */
export const useRowPages = <T>(
  key: readonly unknown[],
  view: { readonly first: number; readonly end: number },
  fetchPage: (start: number, count: number, signal: AbortSignal) => Promise<Page<T>>,
): RowPages<T> => {
  const pages = pageStarts(view.first, view.end).map((start) => ({ key, start }));
  const { pageOf, error, retry } = usePages<T, PageOf>(pages, ({ start }, signal) =>
    fetchPage(start, PAGE_ROWS, signal),
  );
  return {
    row: (index) => {
      const start = Math.floor(index / PAGE_ROWS) * PAGE_ROWS;
      return pageOf(key, start)?.rows[index - start];
    },
    error,
    retry,
  };
};
