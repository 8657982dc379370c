import { type GridLayout, holdsElement } from './grid-layout.ts';

/** A cell of the grid. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

type Key = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };

const wanted = (
  { key, ctrlKey, metaKey }: Key,
  { row, column }: CellPlace,
  layout: GridLayout,
  page: number,
): CellPlace | undefined => {
  const whole = ctrlKey || metaKey;
  switch (key) {
    case 'ArrowUp':
      return { row: whole ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: whole ? layout.rows - 1 : row + 1, column };
    case 'ArrowLeft':
      return { row, column: whole ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: whole ? layout.columns - 1 : column + 1 };
    case 'PageUp':
      return { row: row - page, column };
    case 'PageDown':
      return { row: row + page, column };
    case 'Home':
      return { row: whole ? 0 : row, column: 0 };
    case 'End':
      return { row: whole ? layout.rows - 1 : row, column: layout.columns - 1 };
    default:
      return undefined;
  }
};

/** Where a key moves the active cell (WAI-ARIA grid pattern); undefined for keys the grid leaves alone. */
export const nextCell = (event: Key, from: CellPlace, layout: GridLayout, page: number): CellPlace | undefined => {
  const to = event.altKey ? undefined : wanted(event, from, layout, page);
  if (to === undefined) {
    return undefined;
  }
  const row = Math.max(0, Math.min(layout.rows - 1, to.row));
  let column = Math.max(0, Math.min(layout.columns - 1, to.column));
  while (column > 0 && !holdsElement(layout, row, column)) {
    column -= 1;
  }
  return { row, column };
};
