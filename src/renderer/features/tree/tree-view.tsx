import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { selectTensor } from '../../state/session.ts';
import { monoCharWidth, useSize } from '../../widgets/use-size.ts';
import { worstByTensor } from '../findings/worst-by-tensor.ts';
import { TensorMenu } from '../menu/tensor-menu.tsx';
import type { TensorTree, TreeFolder, TreeNode } from './build-tree.ts';
import { treeAction } from './tree-keys.ts';
import { INDENT, lineElementId, TreeRow } from './tree-line.tsx';
import { useTreeLines } from './use-tree-lines.ts';

const LINE = 24;
/** Pixels of a line that its label cannot use: padding and toggle; of a folder also its counts. */
const TAKEN = 34;
const COUNTS = 98;
const COUNTS_NARROW = 54;
/** Below this width only one count is shown; the style sheet has the same number. */
const NARROW = 215;
const REPEATS = 34;

const takenBy = (node: TreeNode, marked: boolean, width: number): number =>
  node.kind === 'leaf'
    ? TAKEN + (marked ? 16 : 0)
    : TAKEN + (width <= NARROW ? COUNTS_NARROW : COUNTS) + (node.repeats > 0 ? REPEATS : 0);

const lineUnder = (target: EventTarget): number | undefined => {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-line]')?.dataset.line : undefined;
  return line === undefined ? undefined : Number(line);
};

/** The tree itself, virtualised, with the keys of the WAI-ARIA tree pattern. */
export const TreeView = ({ tree }: { readonly tree: TensorTree }): JSX.Element => {
  const session = useSessionStore();
  const selectedId = useSession((state) => state.selectedId);
  const folder = useSession((state) => state.folder);
  const findings = useSession((state) => state.findings);
  const marks = useMemo(() => worstByTensor(findings), [findings]);
  const { lines, setExpanded } = useTreeLines(tree);
  const [active, setActive] = useState(0);
  /** Path of the folder the context menu is for; undefined: for the selected tensor. */
  const [menuFolder, setMenuFolder] = useState<string | undefined>(undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(scroller);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: useCallback(() => scroller.current, []),
    estimateSize: useCallback(() => LINE, []),
    overscan: 8,
  });

  const moveTo = (index: number): void => {
    setActive(index);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  const narrow = (node: TreeFolder): void => {
    const ids = new Set(tree.order.slice(node.start, node.end).map(({ id }) => id));
    session.setState({ folder: { path: node.path, ids } });
  };
  const choose = (index: number): void => {
    const node = lines[index]?.node;
    if (node?.kind === 'leaf') {
      selectTensor(session, node.row.id);
    } else if (node !== undefined && folder?.path === node.path) {
      session.setState({ folder: undefined });
    } else if (node !== undefined) {
      narrow(node);
    }
  };

  // A tensor selected elsewhere becomes the active line.
  useEffect(() => {
    const index = lines.findIndex(({ node }) => node.kind === 'leaf' && node.row.id === selectedId);
    if (selectedId !== undefined && index >= 0) {
      setActive(index);
      const { startIndex = 0, endIndex = -1 } = virtualizer.range ?? {};
      const inView = index > startIndex && index < endIndex;
      virtualizer.scrollToIndex(index, {
        align: inView || document.activeElement === scroller.current ? 'auto' : 'center',
      });
    }
  }, [selectedId, lines, virtualizer]);

  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const index = lineUnder(event.target);
    const line = index === undefined ? undefined : lines[index];
    if (index === undefined || line === undefined) {
      return;
    }
    setActive(index);
    if (line.node.kind === 'folder') {
      const onToggle = event.target instanceof Element && event.target.closest('[data-toggle]') !== null;
      if (onToggle || event.detail === 2) {
        setExpanded(line.node.path, line.expanded !== true);
        return;
      }
    }
    choose(index);
  };

  return (
    <TensorMenu folder={menuFolder}>
      <div
        ref={scroller}
        role="tree"
        aria-label="Tensors by name"
        tabIndex={0}
        aria-activedescendant={active < lines.length ? lineElementId(active) : undefined}
        className="tree-view"
        data-area-focus
        onClick={onClick}
        onContextMenu={(event) => {
          // The menu key speaks to the tree itself: then the active line is meant.
          const index = lineUnder(event.target) ?? active;
          const node = lines[index]?.node;
          setActive(index);
          setMenuFolder(node?.kind === 'folder' ? node.path : undefined);
          if (node?.kind === 'leaf') {
            selectTensor(session, node.row.id);
          }
        }}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
          }
          const action = treeAction(event.key, lines, active, Math.max(1, Math.floor(height / LINE) - 1));
          if (action === undefined) {
            return;
          }
          event.preventDefault();
          const node = action.kind === 'move' ? undefined : lines[action.at]?.node;
          if (action.kind === 'move') {
            moveTo(action.to);
          } else if (action.kind === 'choose') {
            choose(action.at);
          } else if (node?.kind === 'folder') {
            setExpanded(node.path, action.kind === 'expand');
          }
        }}
      >
        <div className="tree-body" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (line === undefined) {
              return null;
            }
            const { node } = line;
            const finding = node.kind === 'leaf' ? marks.get(node.row.id) : undefined;
            const selected = node.kind === 'leaf' ? node.row.id === selectedId : node.path === folder?.path;
            return (
              <TreeRow
                key={node.kind === 'leaf' ? node.row.id : node.path}
                line={line}
                index={index}
                tree={tree}
                top={start}
                active={index === active}
                selected={selected}
                length={Math.floor(
                  (width - takenBy(node, finding !== undefined, width) - (line.level - 1) * INDENT) / monoCharWidth(),
                )}
                finding={finding}
              />
            );
          })}
        </div>
      </div>
    </TensorMenu>
  );
};
