// biome-ignore-all lint/a11y/useSemanticElements: a virtualised ARIA grid: the container has the focus and names the active row or cell (aria-activedescendant)
import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Finding } from '../../../shared/findings.ts';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { rowById, selectTensor } from '../../state/session.ts';
import { EmptyMessage } from '../../widgets/message.tsx';
import { monoCharWidth, useSize } from '../../widgets/use-size.ts';
import { worstByTensor } from '../findings/worst-by-tensor.ts';
import { TensorMenu } from '../menu/tensor-menu.tsx';
import { HeaderRow } from './header-row.tsx';
import { ROW, ROW_LIMIT } from './row-limit.ts';
import { shownPlaces } from './shown-rows.ts';
import { TENSOR_COLUMNS } from './tensor-columns.tsx';
import { rowElementId, TensorTableRow } from './tensor-row.tsx';
import { onTableKey } from './use-table-keys.ts';
import { useTensorTable } from './use-tensor-table.ts';
import './tensor-table.css';

const HEAD = 28;
const OVERSCAN = 8;

const tensorIdUnder = (target: EventTarget): number | undefined => {
  const id = target instanceof Element ? target.closest<HTMLElement>('[data-tensor]')?.dataset.tensor : undefined;
  return id === undefined ? undefined : Number(id);
};

/** Most of the table's width the name column takes, and the width below which no column is kept at the right edge. */
const NAME_SHARE = 0.6;
const NARROW = 520;

const NO_FINDINGS: ReadonlyMap<number, Finding> = new Map();

/** The table of all tensors: only the rows in view are in the page. */
export const TensorTable = (): JSX.Element => {
  const session = useSessionStore();
  const rows = useSession((state) => state.rows);
  const order = useSession((state) => state.order);
  const filter = useSession((state) => state.filter);
  const folder = useSession((state) => state.folder);
  const shard = useSession((state) => state.shard);
  const selectedId = useSession((state) => state.selectedId);
  const anchorId = useSession((state) => state.anchorId);
  const findings = useSession((state) => state.findings);
  const numbers = useSession((state) => state.numbers);
  useSession((state) => state.numbersVersion);

  const shown = useMemo(
    () => shownPlaces({ rows, order, filter, folder, shard }),
    [rows, order, filter, folder, shard],
  );
  const marks = useMemo(() => (findings.length === 0 ? NO_FINDINGS : worstByTensor(findings)), [findings]);
  const table = useTensorTable();
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const columnKey = headers.map(({ column }) => column.id).join();
  const columns = useMemo(() => TENSOR_COLUMNS.filter(({ id }) => columnKey.split(',').includes(id)), [columnKey]);

  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const [isAtLeft, setIsAtLeft] = useState(true);
  const sizes = headers.map((header) => header.getSize());
  // In a narrow window the name, which stays in place, must leave room for the columns that scroll past it.
  const widths = sizes.map((width, index) =>
    index === 0 ? Math.min(width, Math.max(150, size.width * NAME_SHARE)) : width,
  );
  const total = widths.reduce((sum, width) => sum + width, 0);
  const nameWidth = (widths[0] ?? 0) + Math.max(0, size.width - total);
  const tableWidth = nameWidth + total - (widths[0] ?? 0);
  const template = [`${nameWidth}px`, ...widths.slice(1).map((width) => `${width}px`)].join(' ');
  const nameLength = Math.floor((nameWidth - 18) / monoCharWidth());

  const count = Math.min(shown.length, ROW_LIMIT);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: useCallback(() => scroller.current, []),
    estimateSize: useCallback(() => ROW, []),
    overscan: OVERSCAN,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
  });

  const idAt = (place: number): number | undefined => rows[shown[place] ?? -1]?.id;
  const selectedPlace = useMemo(
    () => (selectedId === undefined ? -1 : shown.findIndex((place) => rows[place]?.id === selectedId)),
    [shown, rows, selectedId],
  );
  const anchorPlace = useMemo(
    () => (anchorId === undefined ? -1 : shown.findIndex((place) => rows[place]?.id === anchorId)),
    [shown, rows, anchorId],
  );
  // Only a new selection scrolls; results, sorting and filtering leave the rows where they are.
  const placeNow = useRef(selectedPlace);
  placeNow.current = selectedPlace;
  useEffect(() => {
    if (selectedId !== undefined && placeNow.current >= 0) {
      // The keyboard moves row by row; a jump from elsewhere shows the row among its neighbours.
      const hasFocus = document.activeElement === scroller.current;
      const { startIndex = 0, endIndex = -1 } = virtualizer.range ?? {};
      const inView = placeNow.current > startIndex && placeNow.current < endIndex;
      virtualizer.scrollToIndex(placeNow.current, { align: hasFocus || inView ? 'auto' : 'center' });
    }
  }, [selectedId, virtualizer]);
  useEffect(() => {
    if (scroller.current !== null) {
      scroller.current.scrollTop = 0;
    }
    void order;
    void filter;
    void folder;
    void shard;
  }, [order, filter, folder, shard]);

  const select = (event: MouseEvent<HTMLElement>): void => {
    const id = tensorIdUnder(event.target);
    const isMenu = event.type === 'contextmenu';
    if (id !== undefined && !(isMenu && id === selectedId)) {
      selectTensor(session, id, event.shiftKey && !isMenu);
    }
  };

  const [from, to] =
    anchorPlace < 0 ? [-1, -1] : [Math.min(anchorPlace, selectedPlace), Math.max(anchorPlace, selectedPlace)];
  const pool = Math.ceil(size.height / ROW) + 2 * OVERSCAN + 4;
  const pageRows = Math.max(1, Math.floor((size.height - HEAD) / ROW) - 1);
  const hasSelection = selectedPlace >= 0 && selectedPlace < count;

  return (
    <TensorMenu>
      <div
        ref={scroller}
        role="grid"
        aria-label="Tensors"
        aria-rowcount={shown.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-activedescendant={hasSelection && selectedId !== undefined ? rowElementId(selectedId) : undefined}
        tabIndex={0}
        className={`tensor-table${size.width < NARROW ? ' narrow' : ''}${hasSelection ? '' : ' no-selection'}${isAtLeft ? ' at-left' : ''}`}
        data-area-focus
        style={{
          '--columns': template,
          '--table-width': `${tableWidth}px`,
          '--right-shift': `${Math.min(0, size.width - tableWidth)}px`,
        }}
        onScroll={(event) => setIsAtLeft(event.currentTarget.scrollLeft === 0)}
        onKeyDown={(event) => onTableKey(event, session, pageRows)}
        onClick={select}
        onContextMenu={select}
      >
        <div role="rowgroup" className="table-head-group">
          <HeaderRow table={table} />
        </div>
        <div role="rowgroup" className="table-body" style={{ height: count * ROW }}>
          {virtualizer.getVirtualItems().map(({ index }) => {
            const row = rowById(rows, idAt(index));
            return row === undefined ? null : (
              <TensorTableRow
                // Elements are used again for the rows that scroll in: making new ones costs three times as much.
                key={index % pool}
                row={row}
                numbers={numbers.get(row.id)}
                columns={columns}
                nameLength={nameLength}
                place={index}
                top={index * ROW}
                selected={row.id === selectedId}
                inRange={index >= from && index <= to}
                finding={marks.get(row.id)}
              />
            );
          })}
        </div>
        {shown.length === 0 && rows.length > 0 ? (
          <div className="table-empty">
            <EmptyMessage title="No tensor passes the filter" />
          </div>
        ) : null}
      </div>
    </TensorMenu>
  );
};
