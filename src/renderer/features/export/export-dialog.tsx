import { type JSX, useState } from 'react';
import { EXPORT_FORMATS, type ExportFormat, type TensorRow } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { useActiveSession, useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import { rowById, type SessionStore } from '../../state/session.ts';
import { Button } from '../../widgets/button.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { shapeText } from '../table/tensor-columns.tsx';
import { type ExportOptions, runExport, suggestedName } from './run-export.ts';

const FORMAT_WORDS: Readonly<Record<ExportFormat, string>> = {
  f32: 'Raw float32, little-endian (.f32)',
  raw: 'Raw bytes as stored (.bin)',
  npy: 'NumPy array (.npy)',
  csv: 'Text table (.csv)',
  safetensors: 'safetensors with this one tensor',
};

const isFormat = (value: string): value is ExportFormat => EXPORT_FORMATS.some((format) => format === value);

/** Formats that can hold the tensor's own dtype. */
const keepsDtype = (format: ExportFormat): boolean => format === 'npy' || format === 'safetensors';

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
  const [format, setFormat] = useState<ExportFormat>('f32');
  const [native, setNative] = useState(true);
  const [slice, setSlice] = useState('');
  const submit = (): void => {
    const options: ExportOptions = {
      format,
      ...(keepsDtype(format) ? { dtype: native ? 'native' : 'f32' } : {}),
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
          <span className="muted">
            {escapeText(row.dtype)} · {shapeText(row.shape)}
          </span>
        </p>
        <label className="field">
          <span>Format</span>
          <select
            className="select-input"
            data-autofocus
            value={format}
            onChange={(event) => (isFormat(event.target.value) ? setFormat(event.target.value) : undefined)}
          >
            {EXPORT_FORMATS.map((name) => (
              <option key={name} value={name}>
                {FORMAT_WORDS[name]}
              </option>
            ))}
          </select>
        </label>
        {keepsDtype(format) ? (
          <label className="field">
            <span>Values</span>
            <select
              className="select-input"
              value={native ? 'native' : 'f32'}
              onChange={(event) => setNative(event.target.value === 'native')}
            >
              <option value="native">As stored ({escapeText(row.dtype)})</option>
              <option value="f32">As float32</option>
            </select>
          </label>
        ) : null}
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
          <span className="mono">{suggestedName(row.name, format)}</span>
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
