import { ChevronDown } from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { JSX } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import { useSession } from '../../state/context.tsx';
import { type BottomTab, usePreferences } from '../../state/preferences.ts';
import { IconButton } from '../../widgets/button.tsx';
import { FindingsList, SeverityFilter } from '../findings/findings-list.tsx';
import { MetadataList } from '../metadata/metadata-list.tsx';
import './bottom-panel.css';

const isBottomTab = (value: string): value is BottomTab => value === 'findings' || value === 'metadata';

/** The panel under the table: findings, metadata. */
export const BottomPanel = (): JSX.Element => {
  const tab = usePreferences((state) => state.bottomTab);
  const { set, togglePanel } = usePreferences.getState();
  const total = useSession(({ counts }) => counts.danger + counts.error + counts.warning + counts.note);
  const entries = useSession((state) => state.summary.metadata.length);
  return (
    <section className="panel" aria-label="Findings and metadata" data-area="bottom">
      <Tabs.Root
        className="panel-tabs"
        value={tab}
        onValueChange={(value) => (isBottomTab(value) ? set({ bottomTab: value }) : undefined)}
      >
        <div className="panel-tab-bar">
          <Tabs.List className="panel-tab-list" aria-label="Findings and metadata">
            <Tabs.Trigger className="panel-tab" value="findings">
              Findings <span className="panel-tab-count">{formatInt(total)}</span>
            </Tabs.Trigger>
            <Tabs.Trigger className="panel-tab" value="metadata">
              Metadata <span className="panel-tab-count">{formatInt(entries)}</span>
            </Tabs.Trigger>
          </Tabs.List>
          {tab === 'findings' ? <SeverityFilter /> : null}
          <span className="toolbar-end">
            <IconButton label="Close panel" onClick={() => togglePanel('bottom', false)}>
              <ChevronDown size={15} aria-hidden />
            </IconButton>
          </span>
        </div>
        <Tabs.Content className="panel-tab-content" value="findings" tabIndex={-1}>
          <FindingsList />
        </Tabs.Content>
        <Tabs.Content className="panel-tab-content" value="metadata" tabIndex={-1}>
          <MetadataList />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
};
