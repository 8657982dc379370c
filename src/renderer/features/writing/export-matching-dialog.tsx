import { type JSX, useState } from 'react';
import { useActiveSession, useWorkspaceState } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import { commandPath } from '../commands/command-path.ts';
import { exportCommand } from '../commands/write-commands.ts';
import { type FormatChoice, FormatFields, formatParams } from '../export/format-fields.tsx';
import { OutputField, SelectionLine, useSelection } from './fields.tsx';
import { folderOf, suggestedOutput } from './output-paths.ts';
import { WriteDialog } from './write-dialog.tsx';
import { WriteForm } from './write-form.tsx';

interface Draft {
  readonly include: string;
  readonly choice: FormatChoice;
  readonly folder: string;
}

const problemOf = ({ include, folder }: Draft, tensors: number): string | undefined => {
  if (include.trim() === '') {
    return 'Type a pattern';
  }
  if (tensors === 0) {
    return 'No tensor matches';
  }
  return folder.trim() === '' ? 'Choose a folder' : undefined;
};

const Form = ({
  session,
  draft,
  onChange,
  onBrowse,
}: {
  readonly session: SessionStore;
  readonly draft: Draft;
  onChange(draft: Draft): void;
  onBrowse(): void;
}): JSX.Element => {
  const { include, choice, folder } = draft;
  const pattern = include.trim();
  const selection = useSelection(session, [pattern], []);
  const problem = problemOf(draft, selection.tensors);
  const params = { include: pattern, folder: folder.trim(), ...formatParams(choice) };
  return (
    <WriteForm
      session={session}
      request={{ kind: 'export', params }}
      command={exportCommand({ path: commandPath(session.getState()), ...params })}
      problem={problem}
      submit="Export"
    >
      <label className="field">
        <span>Tensors whose whole name matches</span>
        <input
          className="text-input mono"
          type="text"
          data-autofocus
          value={include}
          placeholder="model.layers.*.mlp.*"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ ...draft, include: event.target.value })}
        />
        <span className="field-hint">
          * any text · ? one character · [0-9] a class · {'{a,b}'} and {'{0..25}'} alternatives
        </span>
      </label>
      <SelectionLine selection={selection} total={session.getState().summary.tensors} />
      <div className="field-pair">
        <FormatFields choice={choice} onChange={(next) => onChange({ ...draft, choice: next })} />
      </div>
      <OutputField
        label="Folder to write into"
        hint="Made when it is missing. One file a tensor, and a manifest.json that maps the names."
        wanted="folder"
        suggested=""
        value={folder}
        onChange={(value) => onChange({ ...draft, folder: value })}
        onBrowse={onBrowse}
      />
    </WriteForm>
  );
};

const Dialog = ({ session }: { readonly session: SessionStore }): JSX.Element => {
  const pattern = useWorkspaceState((state) => state.dialogPattern);
  const [draft, setDraft] = useState<Draft>(() => {
    const { path, summary } = session.getState();
    return {
      include: pattern ?? '*',
      choice: { format: 'npy', native: true },
      folder: suggestedOutput(path, summary.shards.length > 0, 'tensors'),
    };
  });
  const start = folderOf(draft.folder.trim());
  return (
    <WriteDialog
      session={session}
      kind="export"
      startFolder={start === '' ? undefined : start}
      onFolder={(folder) => setDraft({ ...draft, folder })}
    >
      {(browse) => <Form session={session} draft={draft} onChange={setDraft} onBrowse={browse} />}
    </WriteDialog>
  );
};

/** *Export Matching…*: every tensor that a glob finds, one file each, into a folder. */
export const ExportMatchingDialog = (): JSX.Element | null => {
  const session = useActiveSession();
  return session === undefined ? null : <Dialog session={session} />;
};
