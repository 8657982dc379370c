import type { JSX } from 'react';
import { SessionProvider, useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import { Button } from '../../widgets/button.tsx';
import { lineText } from '../../widgets/file-text.tsx';
import { FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { StartScreen } from '../start/start-screen.tsx';
import { SessionView } from './session-view.tsx';

/** What lies under the tab strip: the start screen, or the active tab in whichever state it is. */
export const TabContent = (): JSX.Element => {
  const workspace = useWorkspace();
  const tab = useWorkspaceState(({ tabs, activeKey }) => tabs.find(({ key }) => key === activeKey));
  if (tab === undefined) {
    return <StartScreen />;
  }
  const { content, key, title, source } = tab;
  return (
    <main className="tab-content">
      <h1 className="visually-hidden">{lineText(title, 80)}</h1>
      <div id="tab-content" role="tabpanel" aria-labelledby={`tab-${key}`} className="tab-content">
        {content.state === 'opening' ? <Skeleton label={`Opening ${lineText(title, 80)}`} lines={12} /> : null}
        {content.state === 'failed' ? (
          <FailureMessage where={`${lineText(title, 80)} could not be opened`} failure={content.failure}>
            <span className="start-actions">
              <Button onClick={() => void workspace.open(source)}>Try again</Button>
              <Button onClick={() => workspace.closeTab(key)}>Close</Button>
            </span>
          </FailureMessage>
        ) : null}
        {content.state === 'ready' ? (
          <SessionProvider key={key} session={content.session}>
            <SessionView />
          </SessionProvider>
        ) : null}
      </div>
    </main>
  );
};
