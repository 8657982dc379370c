import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Events, OpenedCheckpoint, ScanOutcome } from '../../shared/api.ts';
import type { CheckpointSummary, TensorRow } from '../../shared/checkpoint-types.ts';
import type { Finding, FindingCounts, Severity, Verdict } from '../../shared/findings.ts';
import type { PickleGrade } from '../../shared/pickle-types.ts';
import type { ShardChoice } from '../features/shards/shard-list.ts';
import { type SortLevel, sortRows } from '../features/table/sort-rows.ts';
import type { OpenValue, ValuePath } from '../features/value-tree/open-values.ts';
import type { Failure } from './failure.ts';
import type { TensorNumbers } from './tensor-numbers.ts';
import type { WriteState } from './write-job.ts';

export type ScanProgress = Omit<Events['scanProgress'], 'sessionId'>;

/** Where the scan of all tensors stands. */
export type ScanState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress: ScanProgress | undefined; readonly startedAt: number }
  | { readonly state: 'done'; readonly outcome: ScanOutcome }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly failure: Failure };

/** How far a list that arrives in pages has come. */
export type LoadState =
  | { readonly state: 'loading'; readonly loaded: number; readonly total: number | undefined }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly failure: Failure };

/** Everything the window knows about one opened checkpoint. */
export interface SessionState {
  readonly sessionId: number;
  readonly title: string;
  readonly path: string | undefined;
  /** What was asked to be opened: of a sharded model its folder, index or shard. */
  readonly openedPath: string | undefined;
  readonly summary: CheckpointSummary;
  readonly counts: FindingCounts;
  readonly verdict: Verdict;
  readonly sentence: string;

  readonly rows: readonly TensorRow[];
  readonly rowsLoad: LoadState;
  readonly findings: readonly Finding[];
  readonly findingsLoad: LoadState;
  /** By tensor id. Grown in place, since copying it for every batch of results costs too much; see `numbersVersion`. */
  readonly numbers: Map<number, TensorNumbers>;
  /** Counts up whenever results were added to `numbers`. */
  readonly numbersVersion: number;
  readonly scan: ScanState;
  /** The export or conversion that runs, or the last one until its result was put away. */
  readonly write: WriteState;

  readonly selectedId: number | undefined;
  /** Other end of a range of rows selected with Shift; undefined when one row is selected. */
  readonly anchorId: number | undefined;
  readonly filter: string;
  readonly treeFilter: string;
  /** Folder the table is narrowed to. */
  readonly folder: { readonly path: string; readonly ids: ReadonlySet<number> } | undefined;
  /** Shard the table is narrowed to. */
  readonly shard: ShardChoice | undefined;
  readonly sort: readonly SortLevel[];
  /** Places of `rows` in sorted order, as of the last sort; results that arrive later do not change it. */
  readonly order: Uint32Array;
  /** Results arrived after the rows were sorted by a scanned column. */
  readonly sortStale: boolean;
  readonly severityShown: Readonly<Record<Severity, boolean>>;
  readonly findingAt: number | undefined;

  /** Grades of pickle events that are listed; undefined before anything was chosen. */
  readonly gradesShown: Readonly<Record<PickleGrade, boolean>> | undefined;
  /** The event to go to, until the list has gone there. */
  readonly eventWanted: NonNullable<Finding['pickle']> | undefined;
  /** Values that are opened in the value trees; undefined before they were shown. */
  readonly openValues: OpenValue | undefined;
  readonly valueAt: ValuePath;
}

export type SessionStore = StoreApi<SessionState>;

/** Rows are listed by name at first. */
const FIRST_SORT: readonly SortLevel[] = [{ id: 'name', desc: false }];

/** Makes the state of a checkpoint that was just opened, before its rows have arrived. */
export const createSession = (opened: OpenedCheckpoint, openedPath = opened.path): SessionStore =>
  createStore<SessionState>(() => ({
    sessionId: opened.sessionId,
    title: opened.title,
    path: opened.path,
    openedPath,
    summary: opened.summary,
    counts: opened.summary.findings,
    verdict: opened.summary.verdict,
    sentence: opened.summary.sentence,
    rows: [],
    rowsLoad: { state: 'loading', loaded: 0, total: undefined },
    findings: [],
    findingsLoad: { state: 'loading', loaded: 0, total: undefined },
    numbers: new Map(),
    numbersVersion: 0,
    scan: { state: 'idle' },
    write: { state: 'idle' },
    selectedId: undefined,
    anchorId: undefined,
    filter: '',
    treeFilter: '',
    folder: undefined,
    shard: undefined,
    sort: FIRST_SORT,
    order: new Uint32Array(0),
    sortStale: false,
    severityShown: { danger: true, error: true, warning: true, note: true },
    findingAt: undefined,
    gradesShown: undefined,
    eventWanted: undefined,
    openValues: undefined,
    valueAt: [0],
  }));

/** A row by its id; ids are places in file order. */
export const rowById = (rows: readonly TensorRow[], id: number | undefined): TensorRow | undefined => {
  const row = id === undefined ? undefined : rows[id];
  return row === undefined || row.id === id ? row : rows.find((candidate) => candidate.id === id);
};

/** Sorts the rows now, with the results there are. */
export const applySort = (store: SessionStore, sort: readonly SortLevel[]): void => {
  const { rows, numbers } = store.getState();
  store.setState({ sort, order: sortRows(rows, numbers, sort), sortStale: false });
};

/** Selects a tensor everywhere; `extend` keeps the other end of a range. */
export const selectTensor = (store: SessionStore, id: number | undefined, extend = false): void => {
  const { selectedId, anchorId } = store.getState();
  store.setState({ selectedId: id, anchorId: extend ? (anchorId ?? selectedId) : undefined });
};

/** Selects a tensor and takes away whatever filter hides it. */
export const revealTensor = (store: SessionStore, id: number, isHidden: boolean): void => {
  store.setState({
    selectedId: id,
    anchorId: undefined,
    ...(isHidden ? { filter: '', folder: undefined, shard: undefined } : {}),
  });
};
