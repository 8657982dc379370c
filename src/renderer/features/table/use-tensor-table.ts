import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  type ReactTable,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { usePreferences } from '../../state/preferences.ts';
import { applySort } from '../../state/session.ts';
import { isSortColumn } from './sort-rows.ts';
import { canSortBy, isColumnShown, TENSOR_COLUMNS } from './tensor-columns.tsx';

/**
 * The table owns columns: which are shown, how wide, what is sorted by. It is given no rows: at 150,000 tensors its row
 * objects would cost more than the rows, and the order is a plain array of places (see `sort-rows.ts`).
 */
const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
});
const NO_ROWS: readonly TensorRow[] = [];
const helper = createColumnHelper<typeof features, TensorRow>();
const columns = TENSOR_COLUMNS.map((column) =>
  helper.accessor((): unknown => undefined, {
    id: column.id,
    header: column.title,
    size: column.width,
    minSize: 44,
    maxSize: 1200,
    enableHiding: column.canHide,
    enableSorting: canSortBy(column),
    sortDescFirst: column.align === 'right',
  }),
);

export type TensorTable = ReactTable<typeof features, TensorRow>;

/** The column model of the current checkpoint's table. */
export const useTensorTable = (): TensorTable => {
  const session = useSessionStore();
  const sort = useSession((state) => state.sort);
  const shownColumns = usePreferences((state) => state.columns);
  const isSharded = useSession((state) => state.summary.shards.length > 0);
  const columnSizing = usePreferences((state) => state.columnWidths);
  const set = usePreferences((state) => state.set);
  const sorting = useMemo<SortingState>(() => sort.map(({ id, desc }) => ({ id, desc })), [sort]);
  const columnVisibility = useMemo(
    () =>
      Object.fromEntries(TENSOR_COLUMNS.map((column) => [column.id, isColumnShown(column, shownColumns, isSharded)])),
    [shownColumns, isSharded],
  );
  return useTable({
    features,
    columns,
    data: NO_ROWS,
    manualSorting: true,
    enableMultiSort: true,
    columnResizeMode: 'onChange',
    state: { sorting, columnVisibility, columnSizing: { ...columnSizing } },
    onSortingChange: (updater) => {
      const next = typeof updater === 'function' ? updater(sorting) : updater;
      applySort(
        session,
        next.flatMap(({ id, desc }) => (isSortColumn(id) ? [{ id, desc }] : [])),
      );
    },
    onColumnSizingChange: (updater) =>
      set({ columnWidths: typeof updater === 'function' ? updater({ ...columnSizing }) : updater }),
  });
};
