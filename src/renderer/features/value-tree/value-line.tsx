// biome-ignore-all lint/a11y/useFocusableInteractive: a virtualised ARIA tree: the container has the focus and names the active line (aria-activedescendant)
import { ChevronDown, ChevronRight, CornerUpLeft, Table2 } from 'lucide-react';
import { type JSX, memo } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ValueRow } from '../../../shared/pickle-types.ts';
import { FileText, lineText } from '../../widgets/file-text.tsx';
import { kindText } from '../table/tensor-columns.tsx';
import type { ValueLine } from './open-values.ts';
import { KIND_WORDS, keyText } from './value-words.ts';

/** Height of a line, and what a level is moved in, in pixels. */
export const LINE = 24;
const INDENT = 14;

/** Element id of a line, for `aria-activedescendant`. */
export const valueElementId = (place: number): string => `value-line-${place}`;

const Value = ({
  row,
  tensor,
  isOpen,
}: {
  readonly row: ValueRow;
  readonly tensor: TensorRow | undefined;
  readonly isOpen: boolean;
}): JSX.Element => {
  if (tensor !== undefined) {
    return (
      <span className="value-tensor">
        <Table2 size={12} aria-hidden />
        tensor {kindText(tensor)}
      </span>
    );
  }
  return (
    <>
      {/* What an opened container holds stands below it. */}
      {isOpen && row.kind !== 'call' ? (
        <span className="value-kind">{KIND_WORDS[row.kind]}</span>
      ) : (
        <FileText className="mono value-text" text={row.text} length={200} hover={false} />
      )}
      {row.same === undefined ? null : (
        <span className="value-same">
          <CornerUpLeft size={12} aria-hidden />
          {row.same.kind === 'inside' ? 'inside itself: ' : 'same as '}
          {lineText(row.same.label, 60)}
        </span>
      )}
    </>
  );
};

const nameOf = (row: ValueRow | undefined, tensor: TensorRow | undefined): string => {
  if (row === undefined) {
    return 'Loading';
  }
  const value = tensor === undefined ? lineText(row.text, 100) : `tensor ${kindText(tensor)}`;
  const same = row.same === undefined ? '' : `, same as ${lineText(row.same.label, 60)}`;
  return `${escapeText(keyText(row).slice(0, 200)) || '(empty)'}: ${value}${same}`;
};

/** One value of a tree; a grey bar while it is on its way. */
export const ValueTreeLine = memo(
  ({
    line,
    row,
    place,
    top,
    active,
    selected,
    tensor,
  }: {
    readonly line: ValueLine;
    readonly row: ValueRow | undefined;
    readonly place: number;
    readonly top: number;
    /** Where the keyboard is. */
    readonly active: boolean;
    /** Whether it is the tensor that is selected everywhere. */
    readonly selected: boolean;
    readonly tensor: TensorRow | undefined;
  }): JSX.Element => {
    const canOpen = (row?.children ?? 0) > 0 || line.isOpen;
    const Chevron = line.isOpen ? ChevronDown : ChevronRight;
    const state = `${active ? ' active' : ''}${selected ? ' selected' : ''}`;
    return (
      <div
        role="treeitem"
        id={valueElementId(place)}
        aria-level={line.level}
        aria-posinset={(line.path.at(-1) ?? 0) + 1}
        aria-setsize={line.siblings}
        aria-expanded={canOpen ? line.isOpen : undefined}
        aria-selected={active}
        aria-label={nameOf(row, tensor)}
        className={`value-line${state}`}
        data-value-line={place}
        style={{ transform: `translateY(${top}px)`, paddingLeft: 6 + (line.level - 1) * INDENT }}
      >
        <span className="tree-toggle" data-toggle={canOpen ? true : undefined}>
          {canOpen ? <Chevron size={14} aria-hidden /> : null}
        </span>
        {row === undefined ? (
          <span className="line-waiting" />
        ) : (
          <>
            <FileText
              className={`mono value-key role-${row.role}`}
              text={keyText(row) || '(empty)'}
              length={60}
              hover={false}
            />
            <Value row={row} tensor={tensor} isOpen={line.isOpen} />
            {row.children > 0 && !['call', 'global'].includes(row.kind) ? (
              <span className="value-count">{formatInt(row.children)}</span>
            ) : null}
          </>
        )}
      </div>
    );
  },
);
