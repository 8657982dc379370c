import type { Int } from '../../../shared/checkpoint-types.ts';
import { type Span, sliceText } from './slice-text.ts';

/** How a tensor's elements lie in the grid. `wrapped`: one dimension, several elements a row. */
export interface GridLayout {
  readonly kind: 'scalar' | 'wrapped' | 'matrix';
  readonly rows: number;
  readonly columns: number;
  /** Sizes of the dimensions chosen by a slider each. */
  readonly leading: readonly number[];
  /** Elements of a wrapped dimension. */
  readonly length: number;
}

/** Rows and columns of one fetched page. */
export const PAGE_ROWS = 32;
export const PAGE_COLUMNS = 16;

const WRAPS = [32, 16, 8, 4, 2];

/** Lays a tensor out for a grid in which `fitting` columns are visible side by side. */
export const layOutGrid = (shape: readonly Int[], fitting: number): GridLayout => {
  const sizes = shape.map(Number);
  const columns = sizes.at(-1);
  const rows = sizes.at(-2);
  if (columns === undefined) {
    return { kind: 'scalar', rows: 1, columns: 1, leading: [], length: 1 };
  }
  if (rows === undefined) {
    const wrap = Math.max(1, Math.min(columns, WRAPS.find((width) => width <= fitting) ?? 1));
    return { kind: 'wrapped', rows: Math.ceil(columns / wrap), columns: wrap, leading: [], length: columns };
  }
  return { kind: 'matrix', rows, columns, leading: sizes.slice(0, -2), length: rows * columns };
};

/** A page of the grid by its row and column number, in pages. */
export interface GridPage {
  readonly row: number;
  readonly column: number;
}

const span = (page: number, size: number, end: number): Span => ({
  start: page * size,
  stop: Math.min(end, (page + 1) * size),
});

/** The slice that fetches a page; undefined for a scalar, which has no dimensions to slice. */
export const pageSlice = (layout: GridLayout, indices: readonly number[], page: GridPage): string | undefined => {
  switch (layout.kind) {
    case 'scalar':
      return undefined;
    case 'wrapped':
      return sliceText([], [span(page.row, PAGE_ROWS * layout.columns, layout.length)]);
    default:
      return sliceText(indices, [
        span(page.row, PAGE_ROWS, layout.rows),
        span(page.column, PAGE_COLUMNS, layout.columns),
      ]);
  }
};

/** Where a cell's element lies: its page, and its place in that page's flat values. */
export const locateCell = (
  layout: GridLayout,
  row: number,
  column: number,
): { readonly page: GridPage; readonly at: number } => {
  const pageRow = Math.floor(row / PAGE_ROWS);
  if (layout.kind === 'wrapped') {
    return { page: { row: pageRow, column: 0 }, at: (row - pageRow * PAGE_ROWS) * layout.columns + column };
  }
  const pageColumn = Math.floor(column / PAGE_COLUMNS);
  const width = Math.min(PAGE_COLUMNS, layout.columns - pageColumn * PAGE_COLUMNS);
  return {
    page: { row: pageRow, column: pageColumn },
    at: (row - pageRow * PAGE_ROWS) * width + (column - pageColumn * PAGE_COLUMNS),
  };
};

/** Whether a cell of the grid holds an element: the last row of a wrapped dimension may be short. */
export const holdsElement = (layout: GridLayout, row: number, column: number): boolean =>
  row < layout.rows &&
  column < layout.columns &&
  (layout.kind !== 'wrapped' || row * layout.columns + column < layout.length);

/** Width of a cell in characters, by dtype: wide enough for nearly every value of it. */
export const cellCharacters = (dtype: string): number => {
  switch (dtype) {
    case 'BOOL':
      return 6;
    case 'U8':
    case 'I8':
      return 5;
    case 'F4':
    case 'F8_E4M3':
    case 'F8_E5M2':
      return 10;
    case 'U16':
    case 'I16':
      return 7;
    case 'U32':
    case 'I32':
      return 12;
    case 'I64':
    case 'U64':
      return 21;
    case 'F64':
      return 23;
    case 'C64':
      return 28;
    default:
      return 14;
  }
};
