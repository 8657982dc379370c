// biome-ignore-all lint/a11y/useFocusableInteractive: a virtualised ARIA grid: the container has the focus and names the active row or cell (aria-activedescendant)
// biome-ignore-all lint/a11y/useSemanticElements: a virtualised ARIA grid: the container has the focus and names the active row or cell (aria-activedescendant)
import { CircleDashed } from 'lucide-react';
import { type JSX, memo } from 'react';
import type { TensorRow as Row } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import type { Finding } from '../../../shared/findings.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';
import { FileText, hoverText } from '../../widgets/file-text.tsx';
import { SEVERITY_WORDS, SeverityIcon } from '../../widgets/verdict-icon.tsx';
import { BADGE_CHARACTERS, ViewBadge } from '../views/view-badge.tsx';
import { isAbsent, type TensorColumn } from './tensor-columns.tsx';

/** Element id of a row, for `aria-activedescendant`. */
export const rowElementId = (id: number): string => `tensor-row-${id}`;

interface RowProps {
  readonly row: Row;
  readonly numbers: TensorNumbers | undefined;
  readonly columns: readonly TensorColumn[];
  /** Characters of the name that fit. */
  readonly nameLength: number;
  /** Place among the shown rows, from 0. */
  readonly place: number;
  readonly top: number;
  readonly selected: boolean;
  readonly inRange: boolean;
  readonly finding: Finding | undefined;
}

const Mark = ({ row, finding }: Pick<RowProps, 'row' | 'finding'>): JSX.Element | null => {
  if (isAbsent(row) && finding === undefined) {
    return (
      <span className="row-mark absent" role="img" aria-label="Absent" title={hoverText(row.problem ?? '')}>
        <CircleDashed size={13} aria-hidden />
      </span>
    );
  }
  const severity = finding?.severity ?? (row.readable ? undefined : 'error');
  if (severity === undefined) {
    return null;
  }
  const reason = row.problem === undefined ? finding?.message : `Cannot be read: ${row.problem}`;
  return (
    <span className="row-mark" role="img" aria-label={SEVERITY_WORDS[severity]} title={hoverText(reason ?? '')}>
      <SeverityIcon severity={severity} size={13} />
    </span>
  );
};

const Cell = ({
  column,
  index,
  props,
}: {
  readonly column: TensorColumn;
  readonly index: number;
  readonly props: RowProps;
}): JSX.Element => {
  const { row, numbers } = props;
  const sticky = column.sticky === undefined ? '' : ` sticky-${column.sticky}`;
  return (
    <div
      role="gridcell"
      aria-colindex={index + 1}
      className={`table-cell ${column.align}${sticky}`}
      data-column={column.id}
      title={column.hover?.(row, numbers)}
    >
      {column.id === 'name' ? (
        <>
          <Mark row={row} finding={props.finding} />
          <FileText
            className="mono"
            text={row.name}
            length={
              props.nameLength -
              (props.finding === undefined && row.readable ? 0 : 3) -
              (row.view === undefined ? 0 : BADGE_CHARACTERS)
            }
          />
          <ViewBadge row={row} />
        </>
      ) : (
        column.cell(row, numbers)
      )}
    </div>
  );
};

/** One row of the tensor table. Drawn again only when something it shows changed. */
export const TensorTableRow = memo((props: RowProps): JSX.Element => {
  const { row, columns, place, top, selected, inRange } = props;
  const state = `${selected ? ' selected' : ''}${inRange && !selected ? ' in-range' : ''}${row.readable ? '' : ' unreadable'}${isAbsent(row) ? ' absent' : ''}`;
  return (
    <div
      role="row"
      id={rowElementId(row.id)}
      aria-rowindex={place + 2}
      aria-selected={selected || inRange}
      aria-label={escapeText(row.name.slice(0, 500))}
      className={`table-row${state}`}
      data-tensor={row.id}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((column, index) => (
        <Cell key={column.id} column={column} index={index} props={props} />
      ))}
    </div>
  );
});
