import type { ReactNode } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatBytes, formatInt, formatStatistic } from '../../../shared/format-number.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';
import { Sparkline } from '../../widgets/sparkline.tsx';
import { shortShardName } from '../shards/shard-list.ts';
import { quantisedText } from '../views/view-text.ts';
import { isSortColumn } from './sort-rows.ts';

/** One column of the tensor table. */
export interface TensorColumn {
  readonly id: string;
  readonly title: string;
  /** Pixels at first. */
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly canHide: boolean;
  /** Whether it is shown before anything is chosen; `sharded`: for models of several files. */
  readonly shownAtFirst: boolean | 'sharded';
  /** Filled by a scan. */
  readonly scanned: boolean;
  readonly sticky?: 'left' | 'right';
  /** What a cell shows; undefined leaves it empty. */
  cell(row: TensorRow, numbers: TensorNumbers | undefined): ReactNode;
  /** Hover text of a cell: the exact value behind a short one. */
  hover?(row: TensorRow, numbers: TensorNumbers | undefined): string | undefined;
}

const plain = {
  align: 'right',
  canHide: true,
  shownAtFirst: true,
  scanned: false,
} as const;

const DIGITS = 4;

const statistic = (id: 'min' | 'max' | 'mean' | 'std', title: string): TensorColumn => ({
  ...plain,
  id,
  title,
  width: 84,
  scanned: true,
  cell: (_row, numbers) => (numbers === undefined ? undefined : formatStatistic(numbers[id], DIGITS)),
  hover: (_row, numbers) => (numbers?.[id] === undefined ? undefined : String(numbers[id])),
});

const count = (id: 'zeros' | 'nan', title: string): TensorColumn => ({
  ...plain,
  id,
  title,
  width: 72,
  scanned: true,
  cell: (_row, numbers) => (numbers === undefined ? undefined : formatInt(numbers[id])),
});

/** A shape as it is shown: `1152 × 6912`; a scalar as `scalar`. */
export const shapeText = (shape: TensorRow['shape']): string => (shape.length === 0 ? 'scalar' : shape.join(' × '));

/** Whether a tensor is only promised by an index: nothing but its name is known. */
export const isAbsent = ({ layout }: Pick<TensorRow, 'layout'>): boolean => layout === 'absent';

/** Dtype and shape of a row in words: `BF16 · 1152 × 6912`, or `absent`. */
export const kindText = (row: TensorRow): string =>
  isAbsent(row) ? 'absent' : `${escapeText(row.dtype)} · ${shapeText(row.shape)}`;

/** All columns, left to right. The name's cell is drawn by the row itself. */
export const TENSOR_COLUMNS: readonly TensorColumn[] = [
  {
    ...plain,
    id: 'name',
    title: 'Name',
    width: 298,
    align: 'left',
    canHide: false,
    sticky: 'left',
    cell: () => undefined,
  },
  {
    ...plain,
    id: 'dtype',
    title: 'Dtype',
    width: 54,
    align: 'left',
    cell: (row) => (isAbsent(row) ? 'absent' : escapeText(row.dtype)),
    hover: (row) => {
      const meaning = row.quantised === undefined ? undefined : `quantised: ${quantisedText(row.quantised)}`;
      return isAbsent(row) ? escapeText(row.problem ?? '') : meaning;
    },
  },
  {
    ...plain,
    id: 'shape',
    title: 'Shape',
    width: 96,
    cell: (row) => (isAbsent(row) ? '–' : shapeText(row.shape)),
    hover: (row) => (isAbsent(row) ? undefined : shapeText(row.shape)),
  },
  {
    ...plain,
    id: 'parameters',
    title: 'Parameters',
    width: 84,
    cell: (row) => (row.parameters === undefined ? '–' : formatInt(row.parameters)),
  },
  {
    ...plain,
    id: 'bytes',
    title: 'Bytes',
    width: 72,
    cell: (row) => (row.bytes === undefined ? '–' : formatBytes(row.bytes)),
    hover: (row) => (row.bytes === undefined ? undefined : `${formatInt(row.bytes)} bytes`),
  },
  {
    ...plain,
    id: 'file',
    title: 'File',
    width: 112,
    align: 'left',
    shownAtFirst: 'sharded',
    cell: (row) => <span className="cut">{escapeText(shortShardName(row.file))}</span>,
    hover: (row) => escapeText(row.file),
  },
  statistic('min', 'Min'),
  statistic('max', 'Max'),
  statistic('mean', 'Mean'),
  statistic('std', 'Std'),
  count('zeros', 'Zeros'),
  count('nan', 'NaN'),
  {
    ...plain,
    id: 'offset',
    title: 'Offset',
    width: 110,
    cell: (row) => (row.offset === undefined ? '–' : formatInt(row.offset)),
  },
  {
    ...plain,
    id: 'distribution',
    title: 'Distribution',
    width: 88,
    align: 'left',
    scanned: true,
    sticky: 'right',
    cell: (_row, numbers) => (numbers?.spark === undefined ? undefined : <Sparkline heights={numbers.spark} />),
    hover: (_row, numbers) =>
      numbers?.min === undefined
        ? undefined
        : `${formatStatistic(numbers.min)} to ${formatStatistic(numbers.max)}, mean ${formatStatistic(numbers.mean)}`,
  },
];

/** Whether a column is shown under these settings. */
export const isColumnShown = (
  column: TensorColumn,
  setting: Readonly<Record<string, boolean>>,
  isSharded: boolean,
): boolean =>
  !column.canHide || (setting[column.id] ?? (column.shownAtFirst === 'sharded' ? isSharded : column.shownAtFirst));

/** Whether the table can be sorted by a column. */
export const canSortBy = (column: TensorColumn): boolean => isSortColumn(column.id);
