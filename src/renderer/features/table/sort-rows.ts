import type { Int, TensorRow } from '../../../shared/checkpoint-types.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';
import { compareKeys, naturalKey } from './natural-key.ts';

/** Columns of the tensor table that can be sorted by. */
export const SORTABLE = [
  'name',
  'dtype',
  'shape',
  'parameters',
  'bytes',
  'min',
  'max',
  'mean',
  'std',
  'zeros',
  'nan',
  'offset',
  'file',
] as const;
export type SortColumn = (typeof SORTABLE)[number];

/** One sort level. */
export interface SortLevel {
  readonly id: SortColumn;
  readonly desc: boolean;
}

export const isSortColumn = (id: string): id is SortColumn => (SORTABLE as readonly string[]).includes(id);

/** Columns whose values arrive with a scan. */
export const isScannedColumn = (id: string): boolean => ['min', 'max', 'mean', 'std', 'zeros', 'nan'].includes(id);

type Value = Int | string | undefined;

const shapeKey = (shape: readonly Int[]): string => shape.map((size) => naturalKey(size.toString())).join('\u0001');

const readValue = (column: SortColumn, row: TensorRow, numbers: TensorNumbers | undefined): Value => {
  switch (column) {
    case 'name':
      return naturalKey(row.name);
    case 'dtype':
      return row.layout === 'absent' ? undefined : row.dtype;
    case 'shape':
      return row.layout === 'absent' ? undefined : `${String.fromCharCode(row.shape.length + 1)}${shapeKey(row.shape)}`;
    case 'parameters':
      return row.parameters;
    case 'bytes':
      return row.bytes;
    case 'offset':
      return row.offset;
    case 'file':
      return naturalKey(row.file);
    default:
      return numbers?.[column];
  }
};

const isMissing = (value: Value): boolean => value === undefined || Number.isNaN(value);

/** Ascending order of two values of one column, both present. */
const compareValues = (a: string | Int, b: string | Int): number => {
  if (typeof a === 'string' && typeof b === 'string') {
    return compareKeys(a, b);
  }
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Compares two values, with undefined and NaN after everything else whichever the direction. */
export const compareForSort = (a: Value, b: Value, desc: boolean): number => {
  if (a === undefined || b === undefined || isMissing(a) || isMissing(b)) {
    return Number(isMissing(a)) - Number(isMissing(b));
  }
  return desc ? compareValues(b, a) : compareValues(a, b);
};

const nameKeys = new WeakMap<readonly TensorRow[], readonly string[]>();

/** Sort keys of the rows' names, made once per list. */
const nameKeysOf = (rows: readonly TensorRow[]): readonly string[] => {
  let keys = nameKeys.get(rows);
  if (keys === undefined) {
    keys = rows.map(({ name }) => naturalKey(name));
    nameKeys.set(rows, keys);
  }
  return keys;
};

/**
 * Row places in sorted order. Ties keep file order; with no levels the result is file order.
 * Values are read once, so results that arrive later do not move rows.
 */
export const sortRows = (
  rows: readonly TensorRow[],
  numbers: ReadonlyMap<number, TensorNumbers>,
  levels: readonly SortLevel[],
): Uint32Array => {
  const order = Uint32Array.from(rows, (_, place) => place);
  const keys = levels.map(({ id, desc }) => ({
    desc,
    values: id === 'name' ? nameKeysOf(rows) : rows.map((row) => readValue(id, row, numbers.get(row.id))),
  }));
  if (keys.length === 0) {
    return order;
  }
  return order.sort((a, b) => {
    for (const { desc, values } of keys) {
      const result = compareForSort(values[a], values[b], desc);
      if (result !== 0) {
        return result;
      }
    }
    return a - b;
  });
};

/** Places of `order` whose row passes. */
export const filterOrder = (order: Uint32Array, passes: (place: number) => boolean): Uint32Array =>
  order.filter(passes);
