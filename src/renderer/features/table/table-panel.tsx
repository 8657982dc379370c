import { Columns3, ListRestart, X } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { JSX } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import { useSession, useSessionStore, useWorkspace } from '../../state/context.tsx';
import { loadRows } from '../../state/load-session.ts';
import { usePreferences } from '../../state/preferences.ts';
import { applySort } from '../../state/session.ts';
import { Button, IconButton } from '../../widgets/button.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { FilterBox } from '../../widgets/filter-box.tsx';
import { EmptyMessage, FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { shortShardName } from '../shards/shard-list.ts';
import { ColumnChecks } from './column-checks.tsx';
import { cutText } from './row-limit.ts';
import { shownPlaces } from './shown-rows.ts';
import { TensorTable } from './tensor-table.tsx';

const ColumnChooser = (): JSX.Element => {
  const isSharded = useSession((state) => state.summary.shards.length > 0);
  const set = usePreferences((state) => state.set);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label="Choose columns">
          <Columns3 size={15} aria-hidden />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu-content" align="end" sideOffset={4} collisionPadding={8}>
          <ColumnChecks item={DropdownMenu.CheckboxItem} isSharded={isSharded} />
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => set({ columns: {}, columnWidths: {} })}>
            <span className="menu-title">Reset Columns</span>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};

const Toolbar = (): JSX.Element => {
  const session = useSessionStore();
  const filter = useSession((state) => state.filter);
  const folder = useSession((state) => state.folder);
  const shard = useSession((state) => state.shard);
  const total = useSession((state) => state.rows.length);
  const shown = useSession((state) => shownPlaces(state).length);
  const loading = useSession((state) => (state.rowsLoad.state === 'loading' ? state.rowsLoad : undefined));
  const isStale = useSession((state) => state.sortStale);
  const focusTable = (): void => {
    document.querySelector<HTMLElement>('.tensor-table')?.focus();
    const first = shownPlaces(session.getState())[0];
    const id = session.getState().rows[first ?? -1]?.id;
    session.setState({ selectedId: session.getState().selectedId ?? id });
  };
  return (
    <div className="table-toolbar">
      <FilterBox
        name="table"
        label="Filter tensors"
        placeholder="Filter: text, *glob*, dtype:bf16"
        value={filter}
        onChange={(value) => session.setState({ filter: value })}
        onEnter={focusTable}
      />
      {folder === undefined ? null : (
        <span className="chip" data-testid="folder-chip">
          <FileText text={folder.path} length={24} />
          <IconButton label="Show all folders" onClick={() => session.setState({ folder: undefined })}>
            <X size={12} aria-hidden />
          </IconButton>
        </span>
      )}
      {shard === undefined ? null : (
        <span className="chip" data-testid="shard-chip">
          <FileText text={shortShardName(shard.name)} length={24} />
          <IconButton label="Show all shards" onClick={() => session.setState({ shard: undefined })}>
            <X size={12} aria-hidden />
          </IconButton>
        </span>
      )}
      <span className="toolbar-end">
        {isStale ? (
          <Button
            className="small"
            title="Results arrived since the rows were sorted"
            onClick={() => applySort(session, session.getState().sort)}
          >
            <ListRestart size={13} aria-hidden />
            Sort again
          </Button>
        ) : null}
        {loading === undefined || loading.loaded === 0 ? null : (
          <span className="toolbar-count">
            Loading {formatInt(loading.loaded)} of {formatInt(loading.total ?? 0)}
          </span>
        )}
        {shown === total ? null : (
          <span className="toolbar-count" role="status">
            {formatInt(shown)} of {formatInt(total)}
          </span>
        )}
        <ColumnChooser />
      </span>
    </div>
  );
};

/** Says so when there are more rows than a browser can scroll through. */
const CutLine = (): JSX.Element | null => {
  const text = useSession((state) => cutText(shownPlaces(state).length));
  return text === undefined ? null : (
    <p className="table-foot" role="note">
      {text}
    </p>
  );
};

/** The middle of the window: filter, folder chip, table, and its empty, loading and error states. */
export const TablePanel = (): JSX.Element => {
  const workspace = useWorkspace();
  const session = useSessionStore();
  const load = useSession((state) => state.rowsLoad);
  const hasRows = useSession((state) => state.rows.length > 0);
  return (
    <section className="panel" aria-label="Tensor table" data-area="table">
      <Toolbar />
      {load.state === 'failed' ? (
        <FailureMessage where="The list of tensors could not be read" failure={load.failure}>
          <Button onClick={() => void loadRows(workspace.client().api, session)}>Try again</Button>
        </FailureMessage>
      ) : null}
      {load.state === 'loading' ? <Skeleton label="Loading tensors" lines={12} /> : null}
      {load.state === 'ready' && !hasRows ? (
        <EmptyMessage title="No tensors">
          This file holds no tensor that could be listed. The findings say why.
        </EmptyMessage>
      ) : null}
      {hasRows ? <TensorTable /> : null}
      {hasRows ? <CutLine /> : null}
    </section>
  );
};
