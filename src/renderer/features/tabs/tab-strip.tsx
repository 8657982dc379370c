import { CircleAlert, FileBox, LoaderCircle, Plus, X } from 'lucide-react';
import type { JSX, KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import type { Tab } from '../../state/workspace.ts';
import { IconButton } from '../../widgets/button.tsx';
import { FileText, hoverText } from '../../widgets/file-text.tsx';
import { VerdictIcon } from '../../widgets/verdict-icon.tsx';
import { runCommand } from '../commands/commands.ts';
import { useCommandContext } from '../commands/use-commands.ts';
import './tab-strip.css';

const SessionIcon = ({ session }: { readonly session: SessionStore }): JSX.Element => {
  const verdict = useStore(session, (state) => state.verdict);
  return verdict === 'clean' ? (
    <FileBox size={14} aria-hidden />
  ) : (
    <span className={`tab-verdict ${verdict}`}>
      <VerdictIcon verdict={verdict} size={13} />
    </span>
  );
};

const TabIcon = ({ content }: Pick<Tab, 'content'>): JSX.Element => {
  switch (content.state) {
    case 'opening':
      return <LoaderCircle size={14} className="spin" aria-hidden />;
    case 'failed':
      return <CircleAlert size={14} className="severity-icon error" aria-hidden />;
    default:
      return <SessionIcon session={content.session} />;
  }
};

const tabHover = ({ source, title }: Tab): string => hoverText(source.kind === 'path' ? source.path : title);

const isOnCross = (target: EventTarget): boolean => target instanceof Element && target.closest('.tab-close') !== null;

/** The open files. Middle click or the cross closes; arrow keys move; Delete closes the focused tab. */
export const TabStrip = (): JSX.Element => {
  const workspace = useWorkspace();
  const context = useCommandContext();
  const tabs = useWorkspaceState((state) => state.tabs);
  const activeKey = useWorkspaceState((state) => state.activeKey);

  const onKey = (event: KeyboardEvent<HTMLElement>, index: number): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[index + step];
    if (step !== 0 && next !== undefined) {
      event.preventDefault();
      workspace.activate(next.key);
      document.getElementById(`tab-${next.key}`)?.focus();
    } else if (event.key === 'Delete' && tabs[index] !== undefined) {
      workspace.closeTab(tabs[index].key);
    }
  };

  return (
    <div className="tab-strip">
      <div role="tablist" aria-label="Open files" className="tabs">
        {tabs.map((tab, index) => (
          <div key={tab.key} className={tab.key === activeKey ? 'tab active' : 'tab'} role="presentation">
            <button
              type="button"
              role="tab"
              id={`tab-${tab.key}`}
              aria-selected={tab.key === activeKey}
              aria-controls={tab.key === activeKey ? 'tab-content' : undefined}
              aria-keyshortcuts="Delete"
              tabIndex={tab.key === activeKey ? 0 : -1}
              className="tab-button"
              title={tabHover(tab)}
              onClick={(event) => (isOnCross(event.target) ? workspace.closeTab(tab.key) : workspace.activate(tab.key))}
              onKeyDown={(event) => onKey(event, index)}
              onMouseDown={(event) => (event.button === 1 ? event.preventDefault() : undefined)}
              onAuxClick={(event) => (event.button === 1 ? workspace.closeTab(tab.key) : undefined)}
            >
              <TabIcon content={tab.content} />
              <FileText text={tab.title} length={32} hover={false} />
              {/* For the mouse only; the keyboard has Delete and the menu. A tab list may hold nothing but tabs. */}
              <span className="tab-close" aria-hidden title="Close">
                <X size={13} />
              </span>
            </button>
          </div>
        ))}
      </div>
      {tabs.length === 0 ? null : (
        <IconButton label="Open a file" onClick={() => runCommand('open', context)}>
          <Plus size={15} aria-hidden />
        </IconButton>
      )}
    </div>
  );
};
