import { createContext, type JSX, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { SessionState, SessionStore } from './session.ts';
import type { Workspace, WorkspaceState } from './workspace.ts';

const WorkspaceContext = createContext<Workspace | undefined>(undefined);
const SessionContext = createContext<SessionStore | undefined>(undefined);

/** Gives the window's state to everything inside. */
export const WorkspaceProvider = ({
  workspace,
  children,
}: {
  readonly workspace: Workspace;
  readonly children: ReactNode;
}): JSX.Element => <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;

/** Gives one opened checkpoint to everything inside. */
export const SessionProvider = ({
  session,
  children,
}: {
  readonly session: SessionStore;
  readonly children: ReactNode;
}): JSX.Element => <SessionContext value={session}>{children}</SessionContext>;

/** The window. @throws Error outside a {@link WorkspaceProvider}. */
export const useWorkspace = (): Workspace => {
  const workspace = useContext(WorkspaceContext);
  if (workspace === undefined) {
    throw new Error('no workspace here');
  }
  return workspace;
};

/** A part of the window's state, followed. */
export const useWorkspaceState = <T,>(select: (state: WorkspaceState) => T): T =>
  useStore(useWorkspace().store, select);

/** The checkpoint of the tab this component is in. @throws Error outside a {@link SessionProvider}. */
export const useSessionStore = (): SessionStore => {
  const session = useContext(SessionContext);
  if (session === undefined) {
    throw new Error('no session here');
  }
  return session;
};

/** A part of the checkpoint's state, followed. */
export const useSession = <T,>(select: (state: SessionState) => T): T => useStore(useSessionStore(), select);

/** The session of the active tab, for what lies outside the tabs (menus, palette, dialogs). */
export const useActiveSession = (): SessionStore | undefined =>
  useWorkspaceState(({ tabs, activeKey }) => {
    const content = tabs.find((tab) => tab.key === activeKey)?.content;
    return content?.state === 'ready' ? content.session : undefined;
  });
