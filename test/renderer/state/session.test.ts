import { describe, expect, it } from 'vitest';
import { selectedRows, shownRows } from '../../../src/renderer/features/table/shown-rows.ts';
import { mockConnect } from '../../../src/renderer/mock/mock-service.ts';
import { loadFindings, loadRows, storeStats } from '../../../src/renderer/state/load-session.ts';
import { createPageFiles } from '../../../src/renderer/state/page-files.ts';
import { applySort, createSession, revealTensor, selectTensor } from '../../../src/renderer/state/session.ts';
import { SPARK_BARS, sparkHeights } from '../../../src/renderer/state/tensor-numbers.ts';

const openMock = async () => {
  const { api } = await mockConnect(2)(createPageFiles());
  const session = createSession(await api.open({ kind: 'sample' }));
  await Promise.all([loadRows(api, session), loadFindings(api, session)]);
  return { api, session };
};

describe('session', () => {
  it('loads rows sorted by name and findings worst first', async () => {
    const { session } = await openMock();
    const { rows, rowsLoad, summary } = session.getState();
    expect(rowsLoad).toEqual({ state: 'ready' });
    expect(rows).toHaveLength(summary.tensors);
    expect(shownRows(session.getState())[0]?.name).toBe('debug.all_nan');
  });

  it('does not move rows when results arrive, and says the order is old', async () => {
    const { api, session } = await openMock();
    applySort(session, [{ id: 'std', desc: true }]);
    const before = session.getState().order;
    storeStats(session, [{ tensorId: 5, stats: await api.stats({ sessionId: 1, tensorId: 5 }) }]);
    expect(session.getState().order).toBe(before);
    expect(session.getState().sortStale).toBe(true);
    applySort(session, session.getState().sort);
    expect(session.getState().order[0]).toBe(5);
    expect(session.getState().sortStale).toBe(false);
  });

  it('selects a range in the shown order', async () => {
    const { session } = await openMock();
    const shown = shownRows(session.getState());
    selectTensor(session, shown[1]?.id);
    selectTensor(session, shown[3]?.id, true);
    expect(selectedRows(session.getState()).map(({ id }) => id)).toEqual(shown.slice(1, 4).map(({ id }) => id));
    selectTensor(session, shown[0]?.id);
    expect(selectedRows(session.getState())).toHaveLength(1);
  });

  it('takes the filter away when it hides what is jumped to', async () => {
    const { session } = await openMock();
    session.setState({ filter: 'debug' });
    expect(shownRows(session.getState())).toHaveLength(2);
    revealTensor(session, 3, true);
    expect(session.getState()).toMatchObject({ filter: '', selectedId: 3 });
  });
});

describe('sparkHeights', () => {
  it('adds bins up and never hides a count', () => {
    const counts = new Float64Array(128);
    counts[0] = 1;
    counts[64] = 1e6;
    const heights = sparkHeights({ counts });
    expect(heights).toHaveLength(SPARK_BARS);
    expect(heights[0]).toBe(1);
    expect(heights[16]).toBe(255);
    expect(heights[1]).toBe(0);
  });
});
