import type { InspectorClient } from '../../rpc/inspector.ts';
import { type Events, PAGE_LIMIT, type Page, type TensorStatsMessage } from '../../shared/api.ts';
import type { TensorStats } from '../../shared/checkpoint-types.ts';
import { SEVERITIES } from '../../shared/findings.ts';
import { isScannedColumn, sortRows } from '../features/table/sort-rows.ts';
import { describeFailure, isCancelled } from './failure.ts';
import type { LoadState, SessionStore } from './session.ts';
import { toNumbers } from './tensor-numbers.ts';

type Api = InspectorClient['api'];

/** Fetches every page of a list, reporting how far it is. */
const fetchPages = async <T>(
  fetchPage: (start: number) => Promise<Page<T>>,
  onProgress: (loaded: number, total: number) => void,
): Promise<readonly T[]> => {
  const rows: T[] = [];
  for (;;) {
    const page = await fetchPage(rows.length);
    for (const row of page.rows) {
      rows.push(row);
    }
    if (rows.length >= page.total || page.rows.length === 0) {
      return rows;
    }
    onProgress(rows.length, page.total);
  }
};

const failed = (error: unknown): LoadState => ({ state: 'failed', failure: describeFailure(error) });

/** Fetches all rows and shows them at once, sorted. */
export const loadRows = async (api: Api, store: SessionStore): Promise<void> => {
  const { sessionId } = store.getState();
  store.setState({ rowsLoad: { state: 'loading', loaded: 0, total: store.getState().summary.tensors } });
  try {
    const rows = await fetchPages(
      (start) => api.tensors({ sessionId, start, count: PAGE_LIMIT }),
      (loaded, total) => store.setState({ rowsLoad: { state: 'loading', loaded, total } }),
    );
    const { numbers, sort } = store.getState();
    store.setState({ rows, order: sortRows(rows, numbers, sort), rowsLoad: { state: 'ready' } });
  } catch (error) {
    store.setState({ rowsLoad: failed(error) });
  }
};

/** Fetches all findings and lists the worst first; what is there stays shown until they are complete. */
export const loadFindings = async (api: Api, store: SessionStore): Promise<void> => {
  const { sessionId } = store.getState();
  try {
    const findings = await fetchPages(
      (start) => api.findings({ sessionId, start, count: PAGE_LIMIT }),
      (loaded, total) => store.setState({ findingsLoad: { state: 'loading', loaded, total } }),
    );
    const worstFirst = [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
    store.setState({ findings: worstFirst, findingsLoad: { state: 'ready' } });
  } catch (error) {
    store.setState({ findingsLoad: failed(error) });
  }
};

/** Puts results into the session, without moving any row. */
export const storeStats = (store: SessionStore, results: readonly TensorStatsMessage[]): void => {
  const { numbers, numbersVersion, sort, sortStale } = store.getState();
  for (const { tensorId, stats } of results) {
    numbers.set(tensorId, toNumbers(stats));
  }
  store.setState({
    numbersVersion: numbersVersion + 1,
    sortStale: sortStale || sort.some(({ id }) => isScannedColumn(id)),
  });
};

/** Puts one tensor's fetched statistics into the session, if they are not there yet. */
export const storeOneStats = (store: SessionStore, tensorId: number, stats: TensorStats): void => {
  if (!store.getState().numbers.has(tensorId)) {
    storeStats(store, [{ tensorId, stats }]);
  }
};

/** Scans every tensor; aborting `signal` keeps what is done. */
export const runScan = async (api: Api, store: SessionStore, signal: AbortSignal): Promise<void> => {
  const { sessionId } = store.getState();
  store.setState({ scan: { state: 'running', progress: undefined, startedAt: performance.now() } });
  try {
    const outcome = await api.scanAll({ sessionId }, signal);
    store.setState({ scan: { state: 'done', outcome } });
  } catch (error) {
    store.setState({
      scan: isCancelled(error) ? { state: 'cancelled' } : { state: 'failed', failure: describeFailure(error) },
    });
  }
};

/** Notes how far a running scan is. */
export const storeProgress = (store: SessionStore, progress: Events['scanProgress']): void => {
  const { scan } = store.getState();
  if (scan.state === 'running') {
    store.setState({ scan: { ...scan, progress } });
  }
};
