import { createStore, type StoreApi } from 'zustand/vanilla';
import type { InspectorClient } from '../../rpc/inspector.ts';
import type { MenuCommand, ShellInfo, TensorStatsMessage } from '../../shared/api.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { ConnectService } from '../connect-service.ts';
import { type Batcher, createBatchers } from './batchers.ts';
import { describeFailure, type Failure } from './failure.ts';
import { loadFindings, loadRows, runScan, storeProgress } from './load-session.ts';
import { createPageFiles } from './page-files.ts';
import { createSession, type SessionStore } from './session.ts';
import { createToasts, type ToastStore } from './toasts.ts';
import { runWrite, storeWriteProgress, type WriteRequest } from './write-job.ts';

/** What a tab was opened from; kept so that it can be opened again after the connection was lost. */
export type OpenSource =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'sample' }
  | { readonly kind: 'page-file'; readonly file: File };

/** One tab of the window. */
export interface Tab {
  readonly key: number;
  readonly source: OpenSource;
  readonly title: string;
  readonly content:
    | { readonly state: 'opening' }
    | { readonly state: 'ready'; readonly session: SessionStore }
    | { readonly state: 'failed'; readonly failure: Failure };
}

/** Dialogs that cover the window, at most one at a time. */
export type DialogName =
  | 'open'
  | 'open-folder'
  | 'export'
  | 'export-matching'
  | 'convert'
  | 'palette'
  | 'shortcuts'
  | 'about';

/** The whole window. */
export interface WorkspaceState {
  readonly connection: 'connecting' | 'open' | 'lost';
  readonly connectionFailure: string | undefined;
  readonly shell: ShellInfo | undefined;
  readonly tabs: readonly Tab[];
  readonly activeKey: number | undefined;
  readonly dialog: DialogName | undefined;
  /** Glob that a dialog begins with, when it was opened for some of the tensors. */
  readonly dialogPattern: string | undefined;
}

/** The window's state and everything that can be done to it. */
export interface Workspace {
  readonly store: StoreApi<WorkspaceState>;
  readonly toasts: ToastStore;
  /** The connection in use. @throws Error before the first one stands. */
  client(): InspectorClient;
  connect(): Promise<void>;
  open(source: OpenSource): Promise<void>;
  openFiles(files: Iterable<File>): void;
  closeTab(key: number): void;
  activate(key: number): void;
  showDialog(dialog: DialogName | undefined, pattern?: string): void;
  startScan(session: SessionStore): void;
  cancelScan(session: SessionStore): void;
  /** Exports or converts. Its state is the session's `write`; a dialog that is not there any more is made up for. */
  startWrite(session: SessionStore, request: WriteRequest): void;
  cancelWrite(session: SessionStore): void;
  /** Listens for commands of a native menu; returns the way to stop. */
  onMenuCommand(listener: (command: MenuCommand) => void): () => void;
}

/** Data below this many bytes is scanned as soon as it is opened. */
export const AUTO_SCAN_BYTES = 2e9;

const baseName = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path;

const titleOf = (source: OpenSource): string =>
  source.kind === 'path' ? baseName(source.path) : source.kind === 'sample' ? 'Sample' : source.file.name;

const isSame = (a: OpenSource, b: OpenSource): boolean =>
  (a.kind === 'path' && b.kind === 'path' && a.path === b.path) ||
  (a.kind === 'sample' && b.kind === 'sample') ||
  (a.kind === 'page-file' && b.kind === 'page-file' && a.file === b.file);

/** Makes the window's state. Nothing is connected before `connect` is called. */
export const createWorkspace = (connectService: ConnectService): Workspace => {
  const store = createStore<WorkspaceState>(() => ({
    connection: 'connecting',
    connectionFailure: undefined,
    shell: undefined,
    tabs: [],
    activeKey: undefined,
    dialog: undefined,
    dialogPattern: undefined,
  }));
  const toasts = createToasts();
  const files = createPageFiles();
  const scans = new Map<SessionStore, AbortController>();
  const writes = new Map<SessionStore, AbortController>();
  const menuListeners = new Set<(command: MenuCommand) => void>();
  let connected: InspectorClient | undefined;
  let lastKey = 0;

  const client = (): InspectorClient => {
    if (connected === undefined) {
      throw new Error('not connected to the service yet');
    }
    return connected;
  };

  const setContent = (key: number, content: Tab['content'], title?: string): void =>
    store.setState(({ tabs }) => ({
      tabs: tabs.map((tab) => (tab.key === key ? { ...tab, content, title: title ?? tab.title } : tab)),
    }));

  const sessionById = (sessionId: number): SessionStore | undefined => {
    for (const { content } of store.getState().tabs) {
      if (content.state === 'ready' && content.session.getState().sessionId === sessionId) {
        return content.session;
      }
    }
    return undefined;
  };
  const batchers: Batcher<TensorStatsMessage> = createBatchers(sessionById);

  const closeSession = (session: SessionStore): void => {
    scans.get(session)?.abort();
    scans.delete(session);
    writes.get(session)?.abort();
    writes.delete(session);
    client()
      .api.close({ sessionId: session.getState().sessionId })
      .catch((error: unknown) => toasts.fail('Closing the file failed', error));
  };

  const startScan = (session: SessionStore): void => {
    if (session.getState().scan.state === 'running') {
      return;
    }
    const controller = new AbortController();
    scans.set(session, controller);
    void runScan(client().api, session, controller.signal).finally(() => batchers.flush());
  };

  /** The dialog that shows a request and what became of it. */
  const dialogOf = ({ kind }: WriteRequest): DialogName => (kind === 'export' ? 'export-matching' : 'convert');

  const startWrite = (session: SessionStore, request: WriteRequest): void => {
    if (session.getState().write.state === 'running') {
      return;
    }
    const controller = new AbortController();
    writes.set(session, controller);
    void runWrite(client().api, session, request, controller.signal).then(() => {
      if (writes.get(session) === controller) {
        writes.delete(session);
      }
      tellWritten(session, request);
    });
  };

  /** Tells how a write ended when its dialog was left meanwhile. */
  const tellWritten = (session: SessionStore, request: WriteRequest): void => {
    const { tabs, activeKey, dialog } = store.getState();
    const tab = tabs.find(({ content }) => content.state === 'ready' && content.session === session);
    const { write } = session.getState();
    if (tab === undefined || (tab.key === activeKey && dialog === dialogOf(request))) {
      return;
    }
    const show = {
      label: 'Show',
      run: () => store.setState({ activeKey: tab.key, dialog: dialogOf(request), dialogPattern: undefined }),
    };
    const word = request.kind === 'export' ? 'Export' : 'Conversion';
    if (write.state === 'done') {
      toasts.done(`${word} done`, tab.title, show);
    } else if (write.state === 'failed') {
      toasts.fail(`${word} failed`, new LoupeError(write.failure.code, write.failure.what), show);
    } else {
      toasts.info(`${word} cancelled`, 'Nothing was written.');
      session.setState({ write: { state: 'idle' } });
    }
  };

  const fillTab = async (key: number, source: OpenSource): Promise<void> => {
    setContent(key, { state: 'opening' });
    const { api } = client();
    try {
      const opened = await api.open(
        source.kind === 'page-file'
          ? { kind: 'page-file', fileId: files.add(source.file), name: source.file.name, size: source.file.size }
          : source,
      );
      const session = createSession(opened, source.kind === 'path' ? source.path : undefined);
      const stillThere = store.getState().tabs.some((tab) => tab.key === key);
      if (!stillThere) {
        closeSession(session);
        return;
      }
      const twin = store
        .getState()
        .tabs.find(
          ({ key: other, content }) =>
            other !== key &&
            content.state === 'ready' &&
            opened.path !== undefined &&
            content.session.getState().path === opened.path,
        );
      if (twin !== undefined) {
        closeSession(session);
        store.setState(({ tabs }) => ({ tabs: tabs.filter((tab) => tab.key !== key), activeKey: twin.key }));
        return;
      }
      setContent(key, { state: 'ready', session }, opened.title);
      await Promise.all([loadRows(api, session), loadFindings(api, session)]);
      if (opened.summary.dataBytes < AUTO_SCAN_BYTES && opened.summary.tensors > 0) {
        startScan(session);
      }
    } catch (error) {
      setContent(key, { state: 'failed', failure: describeFailure(error) });
    }
  };

  const open = async (source: OpenSource): Promise<void> => {
    const existing = store.getState().tabs.find((tab) => isSame(tab.source, source));
    if (existing !== undefined) {
      store.setState({ activeKey: existing.key, dialog: undefined });
      if (existing.content.state === 'failed') {
        await fillTab(existing.key, source);
      }
      return;
    }
    lastKey += 1;
    const key = lastKey;
    store.setState(({ tabs }) => ({
      tabs: [...tabs, { key, source, title: titleOf(source), content: { state: 'opening' } }],
      activeKey: key,
      dialog: undefined,
    }));
    await fillTab(key, source);
  };

  const listen = (fresh: InspectorClient): void => {
    fresh.on('tensorStats', ({ sessionId, results }) => batchers.add(sessionId, results));
    fresh.on('scanProgress', (progress) => {
      const session = sessionById(progress.sessionId);
      if (session !== undefined) {
        storeProgress(session, progress);
      }
    });
    fresh.on('writeProgress', ({ sessionId, ...progress }) => {
      const session = sessionById(sessionId);
      if (session !== undefined) {
        storeWriteProgress(session, progress);
      }
    });
    fresh.on('findingsChanged', ({ sessionId, findings, verdict, sentence }) => {
      const session = sessionById(sessionId);
      if (session !== undefined) {
        session.setState({ counts: findings, verdict, sentence });
        void loadFindings(fresh.api, session);
      }
    });
    fresh.on('openPaths', ({ paths }) => {
      for (const path of paths) {
        void open({ kind: 'path', path });
      }
    });
    fresh.on('menuCommand', ({ command }) => {
      for (const listener of menuListeners) {
        listener(command);
      }
    });
    fresh.onClose(() => {
      if (connected === fresh) {
        store.setState({ connection: 'lost', connectionFailure: undefined });
      }
    });
  };

  const connect = async (): Promise<void> => {
    const isFirst = store.getState().shell === undefined;
    store.setState({ connection: 'connecting' });
    try {
      const fresh = await connectService(files);
      connected = fresh;
      listen(fresh);
      const shell = await fresh.api.shell({});
      store.setState({ connection: 'open', connectionFailure: undefined, shell });
      for (const tab of store.getState().tabs) {
        void fillTab(tab.key, tab.source);
      }
      for (const path of isFirst ? shell.launchPaths : []) {
        void open({ kind: 'path', path });
      }
    } catch (error) {
      store.setState({ connection: 'lost', connectionFailure: describeFailure(error).what });
    }
  };

  return {
    store,
    toasts,
    client,
    connect,
    open,
    openFiles: (dropped) => {
      for (const file of dropped) {
        const path = window.loupeShell?.pathForFile(file) ?? '';
        void open(path === '' ? { kind: 'page-file', file } : { kind: 'path', path });
      }
    },
    closeTab: (key) => {
      const { tabs, activeKey } = store.getState();
      const index = tabs.findIndex((tab) => tab.key === key);
      const rest = tabs.filter((tab) => tab.key !== key);
      const neighbour = rest[Math.min(index, rest.length - 1)]?.key;
      const content = tabs[index]?.content;
      store.setState({ tabs: rest, activeKey: activeKey === key ? neighbour : activeKey });
      if (content?.state === 'ready') {
        closeSession(content.session);
      }
    },
    activate: (key) => store.setState({ activeKey: key }),
    showDialog: (dialog, dialogPattern) => store.setState({ dialog, dialogPattern }),
    startScan,
    cancelScan: (session) => scans.get(session)?.abort(),
    startWrite,
    cancelWrite: (session) => writes.get(session)?.abort(),
    onMenuCommand: (listener) => {
      menuListeners.add(listener);
      return () => menuListeners.delete(listener);
    },
  };
};
