// biome-ignore-all lint/a11y/useFocusableInteractive: a virtualised ARIA tree: the container has the focus and names the active line (aria-activedescendant)
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type JSX, memo } from 'react';
import { escapeText } from '../../../shared/escape-text.ts';
import type { Finding } from '../../../shared/findings.ts';
import { formatBytes, formatInt, formatParameters } from '../../../shared/format-number.ts';
import { useSessionStore } from '../../state/context.tsx';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';
import { FileText, hoverText } from '../../widgets/file-text.tsx';
import { SeverityIcon } from '../../widgets/verdict-icon.tsx';
import { figuresText, mergeNumbers } from '../depth-profile/folder-figures.ts';
import { isAbsent, kindText } from '../table/tensor-columns.tsx';
import type { TensorTree, TreeFolder } from './build-tree.ts';
import { dtypeMix } from './dtype-mix.ts';
import type { TreeLine } from './flatten-tree.ts';

/** Pixels a level is moved in. */
export const INDENT = 12;

/** Element id of a line, for `aria-activedescendant`. */
export const lineElementId = (index: number): string => `tree-line-${index}`;

/** What is known of the tensors in a folder. */
const within = (folder: TreeFolder, tree: TensorTree, numbers: ReadonlyMap<number, TensorNumbers>): TensorNumbers[] =>
  tree.order.slice(folder.start, folder.end).flatMap(({ id }) => numbers.get(id) ?? []);

const folderTitle = (line: TreeLine, tree: TensorTree, numbers: ReadonlyMap<number, TensorNumbers>): string => {
  const { node } = line;
  if (node.kind === 'leaf') {
    const { name, problem } = node.row;
    const why = isAbsent(node.row) ? `: ${hoverText(problem ?? '')}` : '';
    return `${hoverText(name)}\n${kindText(node.row)}${why}`;
  }
  const mix = dtypeMix(tree.order.slice(node.start, node.end));
  const counts = `${formatInt(node.end - node.start)} tensors, ${formatInt(node.parameters)} parameters, ${formatBytes(node.bytes)}`;
  const figures = mergeNumbers(within(node, tree, numbers));
  return `${hoverText(node.path)}\n${counts}\n${mix}${figures === undefined ? '' : `\n${figuresText(figures)}`}`;
};

/** A folder's parameters and bytes; of one that is wholly absent nothing is known. */
const Counts = ({ folder }: { readonly folder: TreeFolder }): JSX.Element =>
  folder.absent === folder.end - folder.start ? (
    <span className="tree-count bytes alone">absent</span>
  ) : (
    <>
      <span className="tree-count">{formatParameters(folder.parameters)}</span>
      <span className="tree-count bytes">{formatBytes(folder.bytes)}</span>
    </>
  );

/** One line of the tree. */
export const TreeRow = memo(
  ({
    line,
    index,
    tree,
    top,
    active,
    selected,
    length,
    finding,
  }: {
    readonly line: TreeLine;
    readonly index: number;
    readonly tree: TensorTree;
    readonly top: number;
    /** Where the keyboard is. */
    readonly active: boolean;
    readonly selected: boolean;
    readonly length: number;
    readonly finding: Finding | undefined;
  }): JSX.Element => {
    const session = useSessionStore();
    const { node, level, position, siblings, expanded } = line;
    const Chevron = expanded === true ? ChevronDown : ChevronRight;
    return (
      <div
        role="treeitem"
        id={lineElementId(index)}
        aria-level={level}
        aria-posinset={position}
        aria-setsize={siblings}
        aria-expanded={expanded}
        aria-selected={selected && node.kind === 'leaf'}
        aria-current={selected && node.kind === 'folder' ? true : undefined}
        aria-label={escapeText(node.label.slice(0, 500)) || '(empty name)'}
        className={`tree-row${active ? ' active' : ''}${selected ? (node.kind === 'leaf' ? ' selected' : ' narrowed') : ''}`}
        data-line={index}
        style={{ transform: `translateY(${top}px)`, paddingLeft: 4 + (level - 1) * INDENT }}
        onPointerEnter={(event) => {
          // Computed on demand: a folder's dtype mix reads all of its tensors.
          event.currentTarget.title = folderTitle(line, tree, session.getState().numbers);
        }}
      >
        {node.kind === 'folder' ? (
          <span className="tree-toggle" data-toggle>
            <Chevron size={14} aria-hidden />
          </span>
        ) : (
          <span className="tree-toggle" />
        )}
        {finding === undefined ? null : <SeverityIcon severity={finding.severity} size={12} />}
        <FileText
          className={node.kind === 'leaf' && isAbsent(node.row) ? 'mono tree-label absent' : 'mono tree-label'}
          text={node.label === '' ? '(empty)' : node.label}
          length={length}
          hover={false}
        />
        {node.kind === 'folder' && node.repeats > 0 ? <span className="tree-repeats">×{node.repeats}</span> : null}
        {node.kind === 'folder' ? <Counts folder={node} /> : null}
      </div>
    );
  },
);
