// biome-ignore-all lint/a11y/useFocusableInteractive: a virtualised ARIA grid: the container has the focus and names the active row or cell (aria-activedescendant)
// biome-ignore-all lint/a11y/useSemanticElements: a virtualised ARIA grid: the container has the focus and names the active row or cell (aria-activedescendant)
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { JSX, KeyboardEvent } from 'react';
import { isScannedColumn } from './sort-rows.ts';
import { TENSOR_COLUMNS } from './tensor-columns.tsx';
import type { TensorTable } from './use-tensor-table.ts';

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

const columnOf = (id: string) => TENSOR_COLUMNS.find((column) => column.id === id);

/** Left and right move between the column buttons, which are one stop of the Tab key. */
const onHeaderKey = (event: KeyboardEvent<HTMLDivElement>): void => {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') {
    return;
  }
  const buttons = [...event.currentTarget.querySelectorAll<Element>('button.column-button')];
  const at = document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
  const next = buttons[at + (event.key === 'ArrowLeft' ? -1 : 1)];
  if (at >= 0 && next instanceof HTMLElement) {
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
};

/** The table's column heads: click sorts (again: the other way, again: file order), Shift adds a level, the edge resizes. */
export const HeaderRow = ({ table }: { readonly table: TensorTable }): JSX.Element => {
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const levels = table.state.sorting.length;
  return (
    <div role="row" aria-rowindex={1} className="table-head" onKeyDown={onHeaderKey}>
      {headers.map((header, index) => {
        const column = columnOf(header.column.id);
        const sorted = header.column.getIsSorted();
        const resize = header.getResizeHandler();
        return (
          <div
            key={header.id}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={sorted === false ? undefined : ARIA_SORT[sorted]}
            className={`table-cell ${column?.align ?? ''} ${column?.sticky === undefined ? '' : `sticky-${column.sticky}`}`}
            data-column={header.column.id}
          >
            {header.column.getCanSort() ? (
              <button
                type="button"
                className="column-button"
                tabIndex={index === 0 ? 0 : -1}
                title={isScannedColumn(header.column.id) ? 'Sort by the results there are now' : undefined}
                onClick={header.column.getToggleSortingHandler()}
              >
                <span>{column?.title}</span>
                {sorted === 'asc' ? <ArrowUp size={12} aria-hidden /> : null}
                {sorted === 'desc' ? <ArrowDown size={12} aria-hidden /> : null}
                {sorted !== false && levels > 1 ? <small>{header.column.getSortIndex() + 1}</small> : null}
              </button>
            ) : (
              <span className="column-button">{column?.title}</span>
            )}
            {column?.sticky === 'right' ? null : (
              <span
                className="column-edge"
                aria-hidden
                onMouseDown={resize}
                onTouchStart={resize}
                onDoubleClick={() => header.column.resetSize()}
              />
            )}
          </div>
        );
      })}
    </div>
  );
};
