import { describe, expect, it } from 'vitest';
import { mockConnect } from '../../../src/renderer/mock/mock-service.ts';
import { createPageFiles } from '../../../src/renderer/state/page-files.ts';
import { createSession } from '../../../src/renderer/state/session.ts';
import { createWorkspace, type Workspace } from '../../../src/renderer/state/workspace.ts';
import { runWrite, storeWriteProgress, type WriteRequest } from '../../../src/renderer/state/write-job.ts';
import { LoupeError } from '../../../src/shared/errors.ts';

const CONVERT: WriteRequest = { kind: 'convert', params: { output: '/out.safetensors' } };
const EXPORT: WriteRequest = { kind: 'export', params: { include: '*', folder: '/out', format: 'npy' } };

const openMock = async () => {
  const { api } = await mockConnect(1, 1)(createPageFiles());
  return { api, session: createSession(await api.open({ kind: 'sample' })) };
};

describe('runWrite', () => {
  it('keeps what was written, whichever way', async () => {
    const { api, session } = await openMock();
    await runWrite(api, session, CONVERT, new AbortController().signal);
    expect(session.getState().write).toMatchObject({ state: 'done', result: { listing: undefined, notes: [] } });
    await runWrite(api, session, EXPORT, new AbortController().signal);
    expect(session.getState().write).toMatchObject({ state: 'done', result: { listing: '/out/manifest.json' } });
  });

  it('tells a cancel from a failure', async () => {
    const { api, session } = await openMock();
    const controller = new AbortController();
    controller.abort();
    await runWrite(api, session, CONVERT, controller.signal);
    expect(session.getState().write.state).toBe('cancelled');
    const full = { ...api, convert: () => Promise.reject(new LoupeError('write-failed', 'the disk is full')) };
    await runWrite(full, session, CONVERT, new AbortController().signal);
    expect(session.getState().write).toMatchObject({ state: 'failed', failure: { what: 'the disk is full' } });
  });

  it('takes progress only while it runs', async () => {
    const { session } = await openMock();
    storeWriteProgress(session, { bytesDone: 1, bytesTotal: 2 });
    expect(session.getState().write).toEqual({ state: 'idle' });
  });
});

describe('a write that is left running', () => {
  const opened = async (): Promise<Workspace> => {
    const workspace = createWorkspace(mockConnect(1, 1));
    await workspace.connect();
    await workspace.open({ kind: 'sample' });
    return workspace;
  };
  const sessionOf = (workspace: Workspace) => {
    const content = workspace.store.getState().tabs[0]?.content;
    if (content?.state !== 'ready') {
      throw new Error('not open');
    }
    return content.session;
  };
  const ended = async (workspace: Workspace): Promise<void> => {
    while (sessionOf(workspace).getState().write.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('tells of its end, and shows the result in its dialog when asked', async () => {
    const workspace = await opened();
    workspace.startWrite(sessionOf(workspace), EXPORT);
    await ended(workspace);
    const [toast] = workspace.toasts.store.getState().toasts;
    expect(toast).toMatchObject({ kind: 'done', title: 'Export done', action: { label: 'Show' } });
    toast?.action?.run();
    expect(workspace.store.getState().dialog).toBe('export-matching');
  });

  it('says nothing more while its dialog is there', async () => {
    const workspace = await opened();
    workspace.showDialog('convert');
    workspace.startWrite(sessionOf(workspace), CONVERT);
    await ended(workspace);
    expect(workspace.toasts.store.getState().toasts).toEqual([]);
    expect(sessionOf(workspace).getState().write.state).toBe('done');
  });

  it('can be cancelled, and leaves nothing to put away', async () => {
    const workspace = await opened();
    workspace.startWrite(sessionOf(workspace), CONVERT);
    workspace.cancelWrite(sessionOf(workspace));
    await ended(workspace);
    expect(workspace.toasts.store.getState().toasts).toMatchObject([{ title: 'Conversion cancelled' }]);
    expect(sessionOf(workspace).getState().write).toEqual({ state: 'idle' });
  });
});
