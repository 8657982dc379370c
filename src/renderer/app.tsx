import type { JSX } from 'react';
import { useCommandKeys } from './features/commands/use-commands.ts';
import { DropOverlay } from './features/drop/drop-overlay.tsx';
import { ConnectionBanner } from './features/frame/connection-banner.tsx';
import { Dialogs } from './features/frame/dialogs.tsx';
import { TabContent } from './features/frame/tab-content.tsx';
import { MenuBar } from './features/menu/menu-bar.tsx';
import { TabStrip } from './features/tabs/tab-strip.tsx';
import { Toasts } from './features/toasts/toasts.tsx';
import { useWorkspaceState } from './state/context.tsx';
import { useApplyTheme } from './theme/use-theme.ts';
import './features/frame/frame.css';

/** The whole window. */
export const App = (): JSX.Element => {
  useApplyTheme();
  useCommandKeys();
  // Known before the service answers, so that nothing moves when it does.
  const hasNativeMenu = window.loupeShell?.kind === 'electron';
  const isConnecting = useWorkspaceState((state) => state.connection === 'connecting');
  const hasTabs = useWorkspaceState((state) => state.tabs.length > 0);
  return (
    <div className="app" aria-busy={isConnecting}>
      {hasNativeMenu && !hasTabs ? null : (
        <header className="top-bar">
          {hasNativeMenu ? null : <MenuBar />}
          <TabStrip />
        </header>
      )}
      <ConnectionBanner />
      <TabContent />
      <Dialogs />
      <Toasts />
      <DropOverlay />
    </div>
  );
};
