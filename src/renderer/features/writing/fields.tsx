import { FolderSearch, TriangleAlert } from 'lucide-react';
import { type JSX, type ReactNode, useDeferredValue, useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { formatBytes, formatInt } from '../../../shared/format-number.ts';
import { escapeGlob } from '../../../shared/name-glob.ts';
import { useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import { Button } from '../../widgets/button.tsx';
import { lineText } from '../../widgets/file-text.tsx';
import { type Selection, selectRows } from './selection.ts';

/** Most names that are put into a field of patterns at once. */
const MOST_NAMES = 200;

/** A field of globs, one a line. */
export const PatternField = ({
  label,
  placeholder,
  value,
  autofocus = false,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly autofocus?: boolean;
  onChange(value: string): void;
}): JSX.Element => (
  <label className="field">
    <span>{label}</span>
    <textarea
      className="text-input area mono"
      rows={Math.min(5, value.split('\n').length + (value === '' ? 0 : 1))}
      value={value}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      {...(autofocus ? { 'data-autofocus': true } : {})}
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
);

/** What patterns select now; follows typing without holding it up. */
export const useSelection = (
  session: SessionStore,
  include: readonly string[],
  exclude: readonly string[],
): Selection => {
  const rows = useStore(session, (state) => state.rows);
  const key = useDeferredValue(JSON.stringify([include, exclude]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the patterns, which are new arrays each time
  return useMemo(() => selectRows(rows, include, exclude), [rows, key]);
};

/** How many tensors are selected and how large they are; of those that cannot be written, the way out. */
export const SelectionLine = ({
  selection,
  total,
  onLeaveOut,
}: {
  readonly selection: Selection;
  /** Tensors there are. */
  readonly total: number;
  /** Adds patterns for the names of those that cannot be written to what is left out. */
  onLeaveOut?(patterns: readonly string[]): void;
}): JSX.Element => {
  const { tensors, bytes, refused } = selection;
  const [first] = refused;
  const names = [...new Set(refused.map(({ name }) => escapeGlob(name)))].filter((name) => !name.includes('\n'));
  return (
    <div className="selection-line" role="status">
      <p>
        <strong>{formatInt(tensors)}</strong> of {formatInt(total)} tensors{' '}
        <span className="muted">· {formatBytes(bytes)} as stored</span>
      </p>
      {first === undefined ? null : (
        <p className="selection-refused">
          <TriangleAlert size={13} aria-hidden />
          <span>
            {formatInt(refused.length)} of them cannot be read, which would stop it:{' '}
            <span className="mono">{lineText(first.name, 40)}</span>
            {refused.length === 1 ? '' : ', …'}
          </span>
          {onLeaveOut === undefined || names.length > MOST_NAMES ? null : (
            <Button className="small" onClick={() => onLeaveOut(names)}>
              Leave {refused.length === 1 ? 'It' : 'Them'} Out
            </Button>
          )}
        </p>
      )}
    </div>
  );
};

/** Where to write: a path, and the way to choose it. */
export const OutputField = ({
  label,
  hint,
  value,
  wanted,
  suggested,
  onChange,
  onBrowse,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly wanted: 'file' | 'folder';
  /** File name that the system's dialog begins with. */
  readonly suggested: string;
  /** `isConfirmed`: the system has asked whether a file there may be replaced. */
  onChange(value: string, isConfirmed: boolean): void;
  /** The page's own chooser, where the system has none. */
  onBrowse(): void;
}): JSX.Element => {
  const workspace = useWorkspace();
  const isElectron = useWorkspaceState((state) => state.shell?.kind === 'electron');
  const id = useId();
  const choose = (): void => {
    if (!isElectron) {
      onBrowse();
      return;
    }
    const { api } = workspace.client();
    const chosen = wanted === 'file' ? api.chooseSavePath({ suggested }) : api.chooseFolder({ purpose: 'write' });
    chosen.then(
      (path) => (path === undefined ? undefined : onChange(path, wanted === 'file')),
      (error: unknown) => workspace.toasts.fail('Choosing failed', error),
    );
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="output-field">
        <input
          id={id}
          className="text-input mono"
          type="text"
          value={value}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value, false)}
        />
        <Button onClick={choose}>
          <FolderSearch size={14} aria-hidden />
          Choose…
        </Button>
      </div>
      {hint === undefined ? null : <span className="field-hint">{hint}</span>}
    </div>
  );
};
