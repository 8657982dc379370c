import { CircleCheck } from 'lucide-react';
import { type JSX, memo } from 'react';
import { severityOf } from '../../../shared/findings.ts';
import { formatBytes, formatInt } from '../../../shared/format-number.ts';
import { FileText, hoverText } from '../../widgets/file-text.tsx';
import { SeverityIcon } from '../../widgets/verdict-icon.tsx';
import type { ShardLine } from './shard-list.ts';

/** Height of a line in pixels. */
export const LINE = 26;

/** Element id of a line, for `aria-activedescendant`. */
export const shardElementId = (place: number): string => `shard-${place}`;

const MISSING = severityOf('shard-missing');

const plural = (count: number): string => `${formatInt(count)} ${count === 1 ? 'tensor' : 'tensors'}`;

const Presence = ({ present }: { readonly present: boolean }): JSX.Element =>
  present ? (
    <span className="shard-state">
      <CircleCheck size={13} aria-hidden className="shard-present" />
      Present
    </span>
  ) : (
    <span className={`shard-state ${MISSING}`}>
      <SeverityIcon severity={MISSING} size={13} />
      Missing
    </span>
  );

/** What a missing shard took with it: a count where an index promises one. */
const lost = (tensors: number): string => (tensors === 0 ? 'not known what it held' : `${plural(tensors)} lost`);

/** One shard: whether it is there, its name, tensors, bytes and share. */
export const ShardRow = memo(
  ({
    line,
    place,
    top,
    active,
    selected,
  }: {
    readonly line: ShardLine;
    readonly place: number;
    readonly top: number;
    /** Where the keyboard is. */
    readonly active: boolean;
    /** Whether the table is narrowed to it. */
    readonly selected: boolean;
  }): JSX.Element => {
    const { entry, name, share } = line;
    const { present, tensors, bytes } = entry;
    return (
      <div
        role="option"
        id={shardElementId(place)}
        aria-selected={selected}
        tabIndex={-1}
        className={`shard-row${present ? '' : ' missing'}${active ? ' active' : ''}${selected ? ' selected' : ''}`}
        data-shard={place}
        style={{ transform: `translateY(${top}px)` }}
        title={hoverText(entry.path)}
      >
        <Presence present={present} />
        <FileText className="mono shard-name" text={name} length={72} hover={false} />
        <span className={present ? 'num' : `num ${MISSING}`}>{present ? plural(tensors) : lost(tensors)}</span>
        <span className="num">{present ? formatBytes(bytes) : '–'}</span>
        <span className="shard-bar" aria-hidden>
          <i style={{ width: `${share * 100}%` }} />
        </span>
      </div>
    );
  },
);
