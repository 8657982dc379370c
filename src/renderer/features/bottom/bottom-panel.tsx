import { ChevronDown } from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { JSX } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import { useSession } from '../../state/context.tsx';
import { type BottomTab, usePreferences } from '../../state/preferences.ts';
import { IconButton } from '../../widgets/button.tsx';
import { DepthProfile } from '../depth-profile/depth-profile.tsx';
import { FindingsList, SeverityFilter } from '../findings/findings-list.tsx';
import { MetadataList } from '../metadata/metadata-list.tsx';
import { GradeFilter } from '../pickle/grades.tsx';
import { PicklePanel } from '../pickle/pickle-panel.tsx';
import { ShardMap } from '../shards/shard-map.tsx';
import { ValueTreePanel } from '../value-tree/value-tree-panel.tsx';
import './bottom-panel.css';

const BOTTOM_TABS: readonly BottomTab[] = ['findings', 'metadata', 'pickle', 'profile', 'shards'];

const isBottomTab = (value: string): value is BottomTab => BOTTOM_TABS.some((tab) => tab === value);

/** The panel under the table: findings, metadata, what pickles would run, and the shards of a model of several files. */
export const BottomPanel = (): JSX.Element => {
  const chosen = usePreferences((state) => state.bottomTab);
  const { set, togglePanel } = usePreferences.getState();
  const total = useSession(({ counts }) => counts.danger + counts.error + counts.warning + counts.note);
  const entries = useSession((state) => state.summary.metadata.length);
  const shards = useSession((state) => state.summary.shards.length);
  const pickles = useSession((state) => state.summary.pickles);
  const isThere = (chosen !== 'shards' || shards > 0) && (chosen !== 'pickle' || pickles > 0);
  const tab = isThere ? chosen : 'findings';
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
              Metadata {pickles > 0 ? null : <span className="panel-tab-count">{formatInt(entries)}</span>}
            </Tabs.Trigger>
            {pickles === 0 ? null : (
              <Tabs.Trigger className="panel-tab" value="pickle">
                Pickle
              </Tabs.Trigger>
            )}
            <Tabs.Trigger className="panel-tab" value="profile">
              Depth profile
            </Tabs.Trigger>
            {shards === 0 ? null : (
              <Tabs.Trigger className="panel-tab" value="shards">
                Shards <span className="panel-tab-count">{formatInt(shards)}</span>
              </Tabs.Trigger>
            )}
          </Tabs.List>
          {tab === 'findings' ? <SeverityFilter /> : null}
          {tab === 'pickle' ? <GradeFilter /> : null}
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
          {pickles > 0 ? <ValueTreePanel /> : <MetadataList />}
        </Tabs.Content>
        {pickles === 0 ? null : (
          <Tabs.Content className="panel-tab-content" value="pickle" tabIndex={-1}>
            <PicklePanel />
          </Tabs.Content>
        )}
        <Tabs.Content className="panel-tab-content" value="profile" tabIndex={-1}>
          <DepthProfile />
        </Tabs.Content>
        {shards === 0 ? null : (
          <Tabs.Content className="panel-tab-content" value="shards" tabIndex={-1}>
            <ShardMap />
          </Tabs.Content>
        )}
      </Tabs.Root>
    </section>
  );
};
