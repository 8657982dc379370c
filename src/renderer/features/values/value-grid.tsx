// biome-ignore-all lint/a11y/useFocusableInteractive: a virtualised ARIA grid: the container has the focus and names the active row or cell (aria-activedescendant)
// biome-ignore-all lint/a11y/useSemanticElements: a virtualised ARIA grid: the container has the focus and names the active row or cell (aria-activedescendant)
import { type JSX, type KeyboardEvent, useRef, useState } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { useWorkspace } from '../../state/context.tsx';
import { describeFailure } from '../../state/failure.ts';
import { Button } from '../../widgets/button.tsx';
import { FailureMessage } from '../../widgets/message.tsx';
import { revealItem, type ScrollAxis, scrolledLength, visibleItems } from '../../widgets/scroll-axis.ts';
import { useAxisScroll } from '../../widgets/use-axis-scroll.ts';
import { monoCharWidth, useSize } from '../../widgets/use-size.ts';
import { writeClipboard } from '../commands/copy-text.ts';
import { GoTo } from './go-to.tsx';
import { cellCharacters, type GridLayout, holdsElement, layOutGrid } from './grid-layout.ts';
import { nextCell } from './next-cell.ts';
import { useValuePages } from './use-value-pages.ts';

const LINE = 22;
const HEAD = 22;

/** The index of a cell in its tensor: `[0, 12, 7]`. */
const indexText = (layout: GridLayout, indices: readonly number[], row: number, column: number): string => {
  switch (layout.kind) {
    case 'scalar':
      return 'scalar';
    case 'wrapped':
      return `[${row * layout.columns + column}]`;
    default:
      return `[${[...indices, row, column].join(', ')}]`;
  }
};

const range = (first: number, end: number): readonly number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);

/** The exact values of one 2-D slice. Only the cells in view are fetched and in the page. */
export const ValueGrid = ({
  row,
  indices,
}: {
  readonly row: TensorRow;
  readonly indices: readonly number[];
}): JSX.Element => {
  const { toasts } = useWorkspace();
  const scroller = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const cellWidth = Math.ceil(cellCharacters(row.dtype) * monoCharWidth()) + 14;
  const headWidth =
    Math.ceil(Math.max(3, String(row.shape.at(row.shape.length === 1 ? -1 : -2) ?? 0).length) * monoCharWidth()) + 16;
  const layout = layOutGrid(row.shape, Math.floor((size.width - headWidth) / cellWidth));
  const vertical: ScrollAxis = { count: layout.rows, size: LINE, view: Math.max(0, size.height - HEAD) };
  const horizontal: ScrollAxis = { count: layout.columns, size: cellWidth, view: Math.max(0, size.width - headWidth) };
  const { top, left, scrollTo } = useAxisScroll(scroller, vertical, horizontal);
  const rows = visibleItems(vertical, top);
  const columns = visibleItems(horizontal, left);
  const pages = useValuePages(row.id, layout, indices, rows, columns);
  const [active, setActive] = useState({ row: 0, column: 0 });

  const moveTo = (next: { readonly row: number; readonly column: number }): void => {
    setActive(next);
    scrollTo(revealItem(vertical, top, next.row), revealItem(horizontal, left, next.column));
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c';
    const cell = pages.cell(active.row, active.column);
    if (isCopy && cell !== undefined) {
      event.preventDefault();
      writeClipboard(cell.text).then(
        () => toasts.info('Copied the value', cell.text),
        (error: unknown) => toasts.fail('Copying failed', error),
      );
      return;
    }
    const next = nextCell(event, active, layout, Math.max(1, Math.floor(vertical.view / LINE) - 1));
    if (next !== undefined) {
      event.preventDefault();
      moveTo(next);
    }
  };

  if (pages.error !== undefined) {
    return (
      <FailureMessage where="These values could not be read" failure={describeFailure(pages.error)}>
        <Button onClick={pages.retry}>Try again</Button>
      </FailureMessage>
    );
  }
  const current = pages.cell(active.row, active.column);
  const cellId = (at: number, column: number): string => `value-${at}-${column}`;
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        aria-label="Values"
        aria-rowcount={layout.rows + 1}
        aria-colcount={layout.columns + 1}
        aria-activedescendant={cellId(active.row, active.column)}
        tabIndex={0}
        className="value-grid"
        onKeyDown={onKey}
      >
        <div
          className="value-space"
          role="presentation"
          style={{ width: headWidth + scrolledLength(horizontal), height: HEAD + scrolledLength(vertical) }}
        >
          <div className="value-view" role="rowgroup" style={{ width: size.width, height: size.height }}>
            <div role="row" aria-rowindex={1} className="value-head">
              <span role="columnheader" aria-colindex={1} className="value-corner" style={{ width: headWidth }}>
                <span className="visually-hidden">Index</span>
              </span>
              {range(columns.first, columns.end).map((column) => (
                <span
                  key={column}
                  role="columnheader"
                  aria-colindex={column + 2}
                  className="value-cell head"
                  style={{ width: cellWidth, transform: `translateX(${headWidth + column * cellWidth - left}px)` }}
                >
                  {layout.kind === 'wrapped' ? `+${column}` : layout.kind === 'scalar' ? 'value' : column}
                </span>
              ))}
            </div>
            {range(rows.first, rows.end).map((at) => (
              <div
                key={at}
                role="row"
                aria-rowindex={at + 2}
                className="value-row"
                style={{ transform: `translateY(${HEAD + at * LINE - top}px)` }}
              >
                <span role="rowheader" aria-colindex={1} className="value-index" style={{ width: headWidth }}>
                  {layout.kind === 'scalar' ? '' : layout.kind === 'wrapped' ? at * layout.columns : at}
                </span>
                {range(columns.first, columns.end).map((column) => {
                  const cell = holdsElement(layout, at, column) ? pages.cell(at, column) : undefined;
                  const isActive = at === active.row && column === active.column;
                  const special = cell !== undefined && /^-?(NaN|Inf)/.test(cell.text) ? ' special' : '';
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys for all of its cells
                    <span
                      key={column}
                      role="gridcell"
                      id={cellId(at, column)}
                      aria-colindex={column + 2}
                      aria-selected={isActive}
                      className={`value-cell${isActive ? ' active' : ''}${special}`}
                      style={{ width: cellWidth, transform: `translateX(${headWidth + column * cellWidth - left}px)` }}
                      title={
                        cell === undefined
                          ? undefined
                          : `${indexText(layout, indices, at, column)} = ${cell.text}\nbits 0x${cell.bits}`
                      }
                      onClick={() => setActive({ row: at, column })}
                    >
                      {cell?.text ?? (holdsElement(layout, at, column) ? '·' : '')}
                    </span>
                  );
                })}
              </div>
            ))}
          </div>
        </div>
      </div>
      <footer className="value-readout">
        <span className="mono">
          {indexText(layout, indices, active.row, active.column)} = {current?.text ?? '…'}
        </span>
        <span className="mono muted">{current === undefined ? '' : `0x${current.bits}`}</span>
        <GoTo
          layout={layout}
          onGo={(target) => {
            setActive(target);
            scrollTo(target.row * LINE, revealItem(horizontal, left, target.column));
          }}
          hint={
            layout.kind === 'matrix'
              ? `row, up to ${formatInt(layout.rows - 1)}`
              : `index, up to ${formatInt(layout.length - 1)}`
          }
        />
      </footer>
    </>
  );
};
