import { type JSX, type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import type { PickleOverview, ValueRow } from '../../../shared/pickle-types.ts';
import { useSession, useSessionStore, useWorkspace } from '../../state/context.tsx';
import { revealTensor, rowById } from '../../state/session.ts';
import { FailablePane } from '../../widgets/failable-pane.tsx';
import { useLineView } from '../../widgets/use-line-view.ts';
import { shownPlaces } from '../table/shown-rows.ts';
import {
  lineAt,
  lineCount,
  type OpenValue,
  placeOf,
  setOpened,
  type ValueLine,
  type ValuePath,
} from './open-values.ts';
import { openAbove } from './reveal-value.ts';
import { useValueRows } from './use-value-rows.ts';
import { valueAction } from './value-keys.ts';
import { LINE, ValueTreeLine, valueElementId } from './value-line.tsx';
import { ValueReader } from './value-reader.tsx';

const placeUnder = (target: EventTarget): number | undefined => {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-value-line]') : null;
  return line === null ? undefined : Number(line.dataset.valueLine);
};

/** The values of all trees, virtualised, with the keys of the WAI-ARIA tree pattern. */
export const ValueTree = ({
  overview,
  trees,
}: {
  readonly overview: PickleOverview;
  readonly trees: OpenValue;
}): JSX.Element => {
  const { client, toasts } = useWorkspace();
  const session = useSessionStore();
  const valueAt = useSession((state) => state.valueAt);
  const selectedId = useSession((state) => state.selectedId);
  const rows = useSession((state) => state.rows);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useLineView(scroller, lineCount(trees), LINE);
  const lines = Array.from({ length: Math.max(0, view.end - view.first) }, (_, index) =>
    lineAt(trees, view.first + index),
  );
  const at = placeOf(trees, valueAt) ?? 0;
  const activeLine = lineAt(trees, at);
  const values = useValueRows(
    overview,
    [...lines, activeLine].flatMap((line) => line ?? []),
  );
  const activeRow = activeLine === undefined ? undefined : values.row(activeLine.path);

  const { reveal } = view;
  const isMeasured = view.height > 0;
  useEffect(() => {
    if (isMeasured) {
      reveal(at);
    }
  }, [at, isMeasured, reveal]);

  const moveTo = (path: ValuePath): void => session.setState({ valueAt: path });
  const setOpen = (path: ValuePath, count: number | undefined): void =>
    session.setState({ openValues: setOpened(trees, path, count) });
  const toggle = ({ path, isOpen }: ValueLine, row: ValueRow): void => {
    if (isOpen || row.children > 0) {
      setOpen(path, isOpen ? undefined : row.children);
    }
  };
  const goTo = (path: ValuePath): void => {
    openAbove(client().api, session.getState().sessionId, trees, path).then(
      (opened) => session.setState({ openValues: opened, valueAt: path }),
      (error: unknown) => toasts.fail('The value could not be shown', error),
    );
  };
  const select = (id: number): void => {
    const state = session.getState();
    const isHidden = !shownPlaces(state).some((place) => state.rows[place]?.id === id);
    revealTensor(session, id, isHidden);
  };
  /** Enter, or a double click. */
  const choose = (line: ValueLine, row: ValueRow | undefined): void => {
    if (row?.tensorId !== undefined) {
      select(row.tensorId);
    } else if (row?.same !== undefined) {
      goTo([line.path[0] ?? 0, ...row.same.path]);
    } else if (row !== undefined) {
      toggle(line, row);
    }
  };

  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const row = activeRow;
    const action =
      event.ctrlKey || event.metaKey || event.altKey
        ? undefined
        : valueAction(event.key, trees, at, view.page, (row?.children ?? 0) > 0);
    if (action === undefined) {
      return;
    }
    event.preventDefault();
    if (action.kind === 'move') {
      moveTo(lineAt(trees, action.to)?.path ?? valueAt);
    } else if (action.kind === 'choose') {
      choose(action.line, row);
    } else if (row !== undefined) {
      setOpen(action.line.path, action.kind === 'open' ? row.children : undefined);
    }
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const place = placeUnder(event.target);
    const line = place === undefined ? undefined : lineAt(trees, place);
    const row = line === undefined ? undefined : values.row(line.path);
    if (line === undefined) {
      return;
    }
    moveTo(line.path);
    const onToggle = event.target instanceof Element && event.target.closest('[data-toggle]') !== null;
    if (row?.tensorId !== undefined) {
      select(row.tensorId);
    } else if (row !== undefined && (onToggle || event.detail === 2)) {
      choose(line, row);
    }
  };

  return (
    <FailablePane where="These values could not be read" error={values.error} onRetry={values.retry}>
      <div className="value-panes">
        <div
          ref={scroller}
          role="tree"
          aria-label="Values of the pickle"
          tabIndex={0}
          aria-activedescendant={at >= view.first && at < view.end ? valueElementId(at) : undefined}
          className="value-tree"
          data-area-focus
          onKeyDown={onKey}
          onClick={onClick}
        >
          <div role="presentation" style={{ height: view.scrolled }}>
            <div role="presentation" className="line-view" style={{ height: view.height }}>
              {lines.map((line, index) => {
                const place = view.first + index;
                const row = line === undefined ? undefined : values.row(line.path);
                return line === undefined ? null : (
                  <ValueTreeLine
                    key={place}
                    line={line}
                    row={row}
                    place={place}
                    top={view.topOf(place)}
                    active={place === at}
                    selected={row?.tensorId !== undefined && row.tensorId === selectedId}
                    tensor={rowById(rows, row?.tensorId)}
                  />
                );
              })}
            </div>
          </div>
        </div>
        {activeLine === undefined || activeRow === undefined ? null : (
          <ValueReader row={activeRow} path={activeLine.path} />
        )}
      </div>
    </FailablePane>
  );
};
