import { Copy, Download } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { Fragment, type JSX } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { formatBytes, formatInt } from '../../../shared/format-number.ts';
import { useSession } from '../../state/context.tsx';
import { type DetailsTab, usePreferences } from '../../state/preferences.ts';
import { rowById } from '../../state/session.ts';
import { IconButton } from '../../widgets/button.tsx';
import { FileText, hoverText, lineText } from '../../widgets/file-text.tsx';
import { EmptyMessage } from '../../widgets/message.tsx';
import { runCommand } from '../commands/commands.ts';
import { useCommandContext } from '../commands/use-commands.ts';
import { StatisticsTab } from '../histogram/statistics-tab.tsx';
import { isAbsent, kindText } from '../table/tensor-columns.tsx';
import { ValuesTab } from '../values/values-tab.tsx';
import { ViewBadge, ViewFacts } from '../views/view-badge.tsx';
import './details.css';

const isDetailsTab = (value: string): value is DetailsTab => value === 'statistics' || value === 'values';

/** A name over several lines, broken after its dots and underscores. */
const BreakableName = ({ name }: { readonly name: string }): JSX.Element => (
  <bdi dir="ltr" className="file-text mono" title={hoverText(name)}>
    {lineText(name, 120)
      .split(/(?<=[._])/)
      .map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
  </bdi>
);

const Title = ({ row }: { readonly row: TensorRow }): JSX.Element => {
  const context = useCommandContext();
  const isSharded = useSession((state) => state.summary.shards.length > 0);
  return (
    <header className="details-title">
      <div className="details-names">
        <h2>
          <BreakableName name={row.name} />
        </h2>
        <p className="muted">
          {kindText(row)}
          {row.bytes === undefined ? '' : ` · ${formatBytes(row.bytes)}`}
          {row.offset === undefined ? '' : ` @ ${formatInt(row.offset)}`}
          {row.layout === 'contiguous' || row.view !== undefined || isAbsent(row) ? '' : ` · ${row.layout}`}
          <ViewBadge row={row} />
          {isSharded ? (
            <>
              {' '}
              · <FileText text={row.file} length={44} />
            </>
          ) : null}
        </p>
        <ViewFacts row={row} />
      </div>
      <IconButton label="Copy name" onClick={() => runCommand('copy-name', context)}>
        <Copy size={14} aria-hidden />
      </IconButton>
      <IconButton
        label="Export tensor as f32"
        disabled={!row.readable}
        onClick={() => runCommand('export-f32', context)}
      >
        <Download size={14} aria-hidden />
      </IconButton>
    </header>
  );
};

/** The right panel: one tensor's statistics and values. */
export const DetailsPanel = (): JSX.Element => {
  const row = useSession((state) => rowById(state.rows, state.selectedId));
  const tab = usePreferences((state) => state.detailsTab);
  const { set } = usePreferences.getState();
  if (row === undefined) {
    return (
      <section className="panel" aria-label="Details" data-area="details">
        <EmptyMessage title="No tensor selected">
          Select one in the tree or the table to see its statistics and values.
        </EmptyMessage>
      </section>
    );
  }
  return (
    <section className="panel" aria-label="Details" data-area="details">
      <Title row={row} />
      <Tabs.Root
        className="panel-tabs"
        value={tab}
        onValueChange={(value) => (isDetailsTab(value) ? set({ detailsTab: value }) : undefined)}
      >
        <div className="panel-tab-bar">
          <Tabs.List className="panel-tab-list" aria-label="Details of the tensor">
            <Tabs.Trigger className="panel-tab" value="statistics">
              Statistics
            </Tabs.Trigger>
            <Tabs.Trigger className="panel-tab" value="values">
              Values
            </Tabs.Trigger>
          </Tabs.List>
        </div>
        <Tabs.Content className="panel-tab-content" value="statistics" tabIndex={-1}>
          <StatisticsTab key={row.id} row={row} />
        </Tabs.Content>
        <Tabs.Content className="panel-tab-content" value="values" tabIndex={-1}>
          <ValuesTab key={row.id} row={row} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
};
