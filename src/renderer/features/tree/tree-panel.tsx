import { type JSX, useDeferredValue, useMemo } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { FilterBox } from '../../widgets/filter-box.tsx';
import { EmptyMessage, Skeleton } from '../../widgets/message.tsx';
import { buildTree } from './build-tree.ts';
import { TreeView } from './tree-view.tsx';
import './tree.css';

const NO_ROWS: readonly TensorRow[] = [];

/** The left panel: all tensors by dotted path. */
export const TreePanel = (): JSX.Element => {
  const session = useSessionStore();
  const rows = useSession((state) => state.rows);
  const isLoading = useSession((state) => state.rowsLoad.state === 'loading');
  const filter = useSession((state) => state.treeFilter);
  // With 150,000 tensors building the tree takes a moment; the table is painted before it.
  const settled = useDeferredValue(rows, NO_ROWS);
  const tree = useMemo(() => buildTree(settled), [settled]);
  return (
    <section className="panel tree-panel" aria-label="Tensor tree" data-area="tree">
      <div className="table-toolbar">
        <FilterBox
          name="tree"
          label="Filter tree"
          placeholder="Filter tree"
          value={filter}
          onChange={(value) => session.setState({ treeFilter: value })}
          onEnter={() => document.querySelector<HTMLElement>('.tree-view')?.focus()}
        />
      </div>
      {isLoading ? <Skeleton label="Loading tensors" lines={10} /> : null}
      {!isLoading && rows.length === 0 ? <EmptyMessage title="No tensors" /> : null}
      {settled.length === 0 ? null : <TreeView key={settled.length} tree={tree} />}
    </section>
  );
};
