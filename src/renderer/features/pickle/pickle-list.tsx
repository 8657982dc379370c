// biome-ignore-all lint/a11y/useSemanticElements: a virtualised ARIA grid: the container has the focus and names the active row (aria-activedescendant)
// biome-ignore-all lint/a11y/useFocusableInteractive: a virtualised ARIA grid: the container has the focus and names the active row (aria-activedescendant)
import { type JSX, type KeyboardEvent, useEffect, useRef } from 'react';
import type { PickleGrade, PickleOverview } from '../../../shared/pickle-types.ts';
import { useSession, useWorkspace } from '../../state/context.tsx';
import { useRowPages } from '../../state/use-row-pages.ts';
import { FailablePane } from '../../widgets/failable-pane.tsx';
import { useLineView } from '../../widgets/use-line-view.ts';
import { writeClipboard } from '../commands/copy-text.ts';
import { nextPlace } from '../table/use-table-keys.ts';
import { eventLine } from './pickle-place.ts';
import { EVENT_COLUMNS, eventElementId, LINE, PickleRow } from './pickle-row.tsx';

const HEAD = 24;

const eventUnder = (target: EventTarget): number | undefined => {
  const event = target instanceof Element ? target.closest<HTMLElement>('[data-event]')?.dataset.event : undefined;
  return event === undefined ? undefined : Number(event);
};

/** Every import and call of the given grades, by pages. Only the rows in view are fetched and in the page. */
export const PickleList = ({
  overview,
  grades,
  total,
  at,
  onMove,
}: {
  readonly overview: PickleOverview;
  readonly grades: readonly PickleGrade[];
  readonly total: number;
  /** The selected row; −1 while there is none. */
  readonly at: number;
  onMove(index: number): void;
}): JSX.Element => {
  const { client, toasts } = useWorkspace();
  const sessionId = useSession((state) => state.sessionId);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useLineView(scroller, total, LINE, HEAD);
  const pages = useRowPages(['pickle-events', sessionId, grades.join()], view, (start, count, signal) =>
    client().api.pickleEvents({ sessionId, grades: [...grades], start, count }, signal),
  );
  const { reveal } = view;
  const isMeasured = view.height > 0;
  useEffect(() => {
    if (at >= 0 && isMeasured) {
      reveal(at);
    }
  }, [at, isMeasured, reveal]);
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const row = at < 0 ? undefined : pages.row(at);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && row !== undefined) {
      event.preventDefault();
      writeClipboard(eventLine(row, overview.pickles[row.pickle])).then(
        () => toasts.info('Copied the event'),
        (error: unknown) => toasts.fail('Copying failed', error),
      );
      return;
    }
    const next =
      event.ctrlKey || event.metaKey || event.altKey ? undefined : nextPlace(event.key, at, total, view.page);
    if (next !== undefined) {
      event.preventDefault();
      onMove(next);
    }
  };
  const lines = Array.from({ length: Math.max(0, view.end - view.first) }, (_, index) => view.first + index);
  return (
    <FailablePane where="The imports and calls could not be read" error={pages.error} onRetry={pages.retry}>
      <div
        ref={scroller}
        role="grid"
        aria-label="Imports and calls"
        aria-rowcount={total + 1}
        aria-colcount={EVENT_COLUMNS.length}
        aria-activedescendant={at >= view.first && at < view.end ? eventElementId(at) : undefined}
        tabIndex={0}
        className={at < 0 ? 'pickle-list no-selection' : 'pickle-list'}
        data-area-focus
        onKeyDown={onKey}
        onClick={(event) => {
          const index = eventUnder(event.target);
          if (index !== undefined) {
            onMove(index);
          }
        }}
      >
        <div role="presentation" style={{ height: view.scrolled }}>
          <div role="rowgroup" className="line-view" style={{ height: view.height }}>
            {lines.map((index) => {
              const row = pages.row(index);
              return (
                <PickleRow
                  key={index}
                  row={row}
                  index={index}
                  top={view.topOf(index)}
                  selected={index === at}
                  pickle={row === undefined ? undefined : overview.pickles[row.pickle]}
                />
              );
            })}
            <div role="row" aria-rowindex={1} className="pickle-row pickle-head">
              {EVENT_COLUMNS.map((title) => (
                <span key={title} role="columnheader" className={title === 'Byte' ? 'num' : undefined}>
                  {title}
                </span>
              ))}
            </div>
          </div>
        </div>
      </div>
    </FailablePane>
  );
};
