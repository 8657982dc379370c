import { type JSX, useState } from 'react';
import { useActiveSession, useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import { commandPath } from '../commands/command-path.ts';
import { exportCommand } from '../commands/write-commands.ts';
import { type FormatChoice, FormatFields, formatParams } from '../export/format-fields.tsx';
import { ChooseOutput } from './choose-output.tsx';
import { OutputField, SelectionLine, useSelection } from './fields.tsx';
import { FormActions } from './form-actions.tsx';
import { folderOf, suggestedOutput } from './output-paths.ts';
import { WriteDialog } from './write-dialog.tsx';

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
  const workspace = useWorkspace();
  const { include, choice, folder } = draft;
  const pattern = include.trim();
  const selection = useSelection(session, [pattern], []);
  const problem = problemOf(draft, selection.tensors);
  const params = { include: pattern, folder: folder.trim(), ...formatParams(choice) };
  return (
    <form
      className="write-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) {
          workspace.startWrite(session, { kind: 'export', params });
        }
      }}
    >
      <div className="dialog-body">
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
      </div>
      <FormActions
        command={exportCommand({ path: commandPath(session.getState()), ...params })}
        problem={problem}
        submit="Export"
      />
    </form>
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
  const [isChoosing, setChoosing] = useState(false);
  const start = folderOf(draft.folder.trim());
  return (
    <WriteDialog session={session} kind="export" title={isChoosing ? 'Choose a folder' : undefined}>
      {isChoosing ? (
        <ChooseOutput
          start={start === '' ? undefined : start}
          onChoose={(folder) => {
            setDraft({ ...draft, folder });
            setChoosing(false);
          }}
          onBack={() => setChoosing(false)}
        />
      ) : (
        <Form session={session} draft={draft} onChange={setDraft} onBrowse={() => setChoosing(true)} />
      )}
    </WriteDialog>
  );
};

/** *Export Matching…*: every tensor that a glob finds, one file each, into a folder. */
export const ExportMatchingDialog = (): JSX.Element | null => {
  const session = useActiveSession();
  return session === undefined ? null : <Dialog session={session} />;
};
