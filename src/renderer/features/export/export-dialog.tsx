import { type JSX, useState } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { useActiveSession, useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import { rowById, type SessionStore } from '../../state/session.ts';
import { Button } from '../../widgets/button.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { kindText } from '../table/tensor-columns.tsx';
import { type FormatChoice, FormatFields, formatParams } from './format-fields.tsx';
import { type ExportOptions, runExport, suggestedName } from './run-export.ts';

const Form = ({
  session,
  row,
  onClose,
}: {
  readonly session: SessionStore;
  readonly row: TensorRow;
  onClose(): void;
}): JSX.Element => {
  const workspace = useWorkspace();
  const isElectron = useWorkspaceState((state) => state.shell?.kind === 'electron');
  const [choice, setChoice] = useState<FormatChoice>({ format: 'f32', native: true });
  const [slice, setSlice] = useState('');
  const submit = (): void => {
    const options: ExportOptions = {
      ...formatParams(choice),
      ...(slice.trim() === '' ? {} : { slice: slice.trim() }),
    };
    onClose();
    void runExport(workspace, session, row, options);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="dialog-body">
        <p>
          <FileText className="mono" text={row.name} length={56} />
          <br />
          <span className="muted">{kindText(row)}</span>
        </p>
        <FormatFields choice={choice} stored={escapeText(row.dtype)} autofocus onChange={setChoice} />
        <label className="field">
          <span>Slice (empty for the whole tensor)</span>
          <input
            className="text-input mono"
            type="text"
            value={slice}
            placeholder={
              row.shape.length === 0
                ? 'a scalar cannot be sliced'
                : ['0:10', ...row.shape.slice(1).map(() => ':')].join(',')
            }
            disabled={row.shape.length === 0}
            spellCheck={false}
            onChange={(event) => setSlice(event.target.value)}
          />
        </label>
        <p className="muted">
          {isElectron ? 'Suggested name: ' : 'Saved to your downloads as '}
          <span className="mono">{suggestedName(row.name, choice.format)}</span>
        </p>
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button primary type="submit">
          {isElectron ? 'Choose Place…' : 'Download'}
        </Button>
      </div>
    </form>
  );
};

/** *Export…*: format, dtype and slice of the selected tensor. */
export const ExportDialog = (): JSX.Element | null => {
  const workspace = useWorkspace();
  const session = useActiveSession();
  const state = session?.getState();
  const row = state === undefined ? undefined : rowById(state.rows, state.selectedId);
  const close = (): void => workspace.showDialog(undefined);
  return session === undefined || row === undefined ? null : (
    <DialogFrame title="Export tensor" onClose={close}>
      <Form session={session} row={row} onClose={close} />
    </DialogFrame>
  );
};
