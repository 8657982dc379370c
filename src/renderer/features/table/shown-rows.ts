import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { rowById, type SessionState } from '../../state/session.ts';
import { compileFilter } from './filter-query.ts';
import { filterOrder } from './sort-rows.ts';

const PLAIN = /^[\x20-\x7e]*$/;

/** What a filter looks at: the name as it is shown, in lower case. */
export const searchName = (name: string): string => (PLAIN.test(name) ? name : escapeText(name)).toLowerCase();

const searchNames = new WeakMap<readonly TensorRow[], readonly string[]>();

/** The search names of all rows, made once per list. */
export const searchNamesOf = (rows: readonly TensorRow[]): readonly string[] => {
  let names = searchNames.get(rows);
  if (names === undefined) {
    names = rows.map(({ name }) => searchName(name));
    searchNames.set(rows, names);
  }
  return names;
};

interface Shown {
  readonly filter: string;
  readonly folder: SessionState['folder'];
  readonly shard: SessionState['shard'];
  readonly order: Uint32Array;
  readonly shown: Uint32Array;
}

/** The last answer per list of rows: the table, the status bar and the commands ask for the same one. */
const lastShown = new WeakMap<readonly TensorRow[], Shown>();

/** Places of the rows the table shows: sorted, inside the chosen folder and shard, passing the filter. */
export const shownPlaces = ({
  rows,
  order,
  filter,
  folder,
  shard,
}: Pick<SessionState, 'rows' | 'order' | 'filter' | 'folder' | 'shard'>): Uint32Array => {
  const last = lastShown.get(rows);
  if (last?.filter === filter && last.folder === folder && last.shard === shard && last.order === order) {
    return last.shown;
  }
  const test = compileFilter(filter);
  const names = test === undefined ? [] : searchNamesOf(rows);
  const shown =
    test === undefined && folder === undefined && shard === undefined
      ? order
      : filterOrder(order, (place) => {
          const row = rows[place];
          return (
            row !== undefined &&
            (folder === undefined || folder.ids.has(row.id)) &&
            (shard === undefined || (row.id >= shard.start && row.id < shard.end)) &&
            (test === undefined || test(row, names[place] ?? ''))
          );
        });
  lastShown.set(rows, { filter, folder, shard, order, shown });
  return shown;
};

/** The rows that copying acts on: the selected range, or the one selected row. */
export const selectedRows = (state: SessionState): readonly TensorRow[] => {
  const { rows, selectedId, anchorId } = state;
  const selected = rowById(rows, selectedId);
  if (selected === undefined || anchorId === undefined) {
    return selected === undefined ? [] : [selected];
  }
  const shown = shownPlaces(state);
  const from = shown.findIndex((place) => rows[place]?.id === anchorId);
  const to = shown.findIndex((place) => rows[place]?.id === selectedId);
  if (from < 0 || to < 0) {
    return [selected];
  }
  return Array.from(shown.subarray(Math.min(from, to), Math.max(from, to) + 1), (place) => rows[place]).filter(
    (row) => row !== undefined,
  );
};

/** The rows the table shows, in its order. */
export const shownRows = (state: SessionState): readonly TensorRow[] =>
  Array.from(shownPlaces(state), (place) => state.rows[place]).filter((row) => row !== undefined);
