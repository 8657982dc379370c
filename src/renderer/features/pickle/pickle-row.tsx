// biome-ignore-all lint/a11y/useFocusableInteractive: a virtualised ARIA grid: the container has the focus and names the active row (aria-activedescendant)
// biome-ignore-all lint/a11y/useSemanticElements: a virtualised ARIA grid: the container has the focus and names the active row (aria-activedescendant)
import { type JSX, memo } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import type { PickleEventRow, PickleInfo } from '../../../shared/pickle-types.ts';
import { FileText, hoverText } from '../../widgets/file-text.tsx';
import { GRADE_WORDS, GradeIcon, KIND_WORDS } from './grades.tsx';
import { eventLine, pickleName } from './pickle-place.ts';

/** Height of a row in pixels. */
export const LINE = 26;

/** Element id of a row, for `aria-activedescendant`. */
export const eventElementId = (index: number): string => `pickle-event-${index}`;

/** Columns, left to right. */
export const EVENT_COLUMNS = ['Grade', 'Event', 'What would run', 'Why', 'Pickle', 'Byte'] as const;

const Cells = ({
  row,
  pickle,
}: {
  readonly row: PickleEventRow;
  readonly pickle: PickleInfo | undefined;
}): JSX.Element => (
  <>
    <span role="gridcell" className={`pickle-grade ${row.grade}`}>
      <GradeIcon grade={row.grade} />
      {GRADE_WORDS[row.grade]}
    </span>
    <span role="gridcell" className="pickle-kind">
      {KIND_WORDS[row.kind]}
    </span>
    <span role="gridcell" className="pickle-what mono">
      <FileText text={row.what} length={120} hover={false} />
      {row.kind === 'state' ? <span className="pickle-args"> ← </span> : null}
      <FileText className="pickle-args" text={row.args} length={160} hover={false} />
    </span>
    <span role="gridcell" className="pickle-why">
      <FileText text={row.why} length={160} hover={false} />
    </span>
    <span role="gridcell" className="pickle-member">
      <FileText text={pickle === undefined ? '' : pickleName(pickle)} length={30} />
    </span>
    <span role="gridcell" className="num pickle-byte">
      {formatInt(row.byte)}
    </span>
  </>
);

/** One import or call; grey bars while it is on its way. */
export const PickleRow = memo(
  ({
    row,
    index,
    top,
    selected,
    pickle,
  }: {
    readonly row: PickleEventRow | undefined;
    readonly index: number;
    readonly top: number;
    readonly selected: boolean;
    readonly pickle: PickleInfo | undefined;
  }): JSX.Element => (
    <div
      role="row"
      id={eventElementId(index)}
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={selected ? 'pickle-row selected' : 'pickle-row'}
      data-event={index}
      data-grade={row?.grade}
      style={{ transform: `translateY(${top}px)` }}
      title={row === undefined ? undefined : hoverText(eventLine(row, pickle))}
    >
      {row === undefined ? (
        <span role="gridcell" className="line-waiting">
          <span className="visually-hidden">Loading</span>
        </span>
      ) : (
        <Cells row={row} pickle={pickle} />
      )}
    </div>
  ),
);
