import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { JSX } from 'react';
import { useStore } from 'zustand';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatBytes, formatInt } from '../../../shared/format-number.ts';
import { useWorkspace } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import type { WriteRequest, WriteState } from '../../state/write-job.ts';
import { Button } from '../../widgets/button.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { writeClipboard } from '../commands/copy-text.ts';
import { baseName } from './output-paths.ts';
import { precisionText, targetOf, writtenText } from './write-summary.ts';

/** Most files listed one by one. */
const LISTED = 500;

type Of<S extends WriteState['state']> = Extract<WriteState, { readonly state: S }>;

const DOING = { export: 'Exporting', convert: 'Converting' } as const;

const Running = ({
  write,
  session,
}: {
  readonly write: Of<'running'>;
  readonly session: SessionStore;
}): JSX.Element => {
  const workspace = useWorkspace();
  const { progress, request } = write;
  const fraction = progress === undefined || progress.bytesTotal === 0 ? 0 : progress.bytesDone / progress.bytesTotal;
  return (
    <>
      <div className="dialog-body write-body" data-autofocus tabIndex={-1}>
        <p>
          {DOING[request.kind]} · {Math.floor(fraction * 100)} %
        </p>
        <progress className="write-progress" max={1} value={fraction} aria-label={DOING[request.kind]} />
        <p className="muted">
          {progress === undefined
            ? 'Starting'
            : `${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}`}
        </p>
      </div>
      <div className="dialog-actions">
        <Button onClick={() => workspace.showDialog(undefined)}>Continue in Background</Button>
        <Button onClick={() => workspace.cancelWrite(session)}>Cancel</Button>
      </div>
    </>
  );
};

const Notes = ({ notes }: { readonly notes: readonly string[] }): JSX.Element | null =>
  notes.length === 0 ? null : (
    <ul className="write-notes" aria-label="Notes">
      {notes.slice(0, LISTED).map((note) => (
        <li key={note}>
          <TriangleAlert size={13} aria-hidden className="write-note-icon" />
          <span className="file-text">{escapeText(note.slice(0, 2000))}</span>
        </li>
      ))}
    </ul>
  );

const WrittenFiles = ({ write }: { readonly write: Of<'done'> }): JSX.Element => {
  const { written, listing } = write.result;
  const isConvert = write.request.kind === 'convert';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by key
    <section className="written-files" aria-label="Files written" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" className="num">
              {isConvert ? 'Tensors' : ''}
            </th>
            <th scope="col" className="num">
              Bytes
            </th>
          </tr>
        </thead>
        <tbody>
          {written.slice(0, LISTED).map((file) => (
            <tr key={file.path}>
              <td>
                <FileText className="mono" text={baseName(file.path)} length={56} />
                {precisionText(file) === undefined ? null : <span className="muted"> · {precisionText(file)}</span>}
              </td>
              <td className="num">{file.tensors === undefined ? '' : formatInt(file.tensors)}</td>
              <td className="num">{formatBytes(file.bytes)}</td>
            </tr>
          ))}
          {written.length <= LISTED ? null : (
            <tr>
              <td className="muted">and {formatInt(written.length - LISTED)} more</td>
              <td />
              <td />
            </tr>
          )}
          {listing === undefined ? null : (
            <tr>
              <td>
                <FileText className="mono" text={baseName(listing)} length={56} />
                <span className="muted"> · {isConvert ? 'index' : 'manifest'}</span>
              </td>
              <td />
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
};

const Done = ({ write, onClose }: { readonly write: Of<'done'>; onClose(): void }): JSX.Element => {
  const workspace = useWorkspace();
  const { request, result } = write;
  const target = targetOf(request, result);
  const copy = (): void => {
    writeClipboard(target).then(
      () => workspace.toasts.info('Copied the path'),
      (error: unknown) => workspace.toasts.fail('Copying failed', error),
    );
  };
  return (
    <>
      <div className="dialog-body write-body">
        <p className="write-done" role="status">
          <CircleCheck size={16} aria-hidden />
          <span>
            <strong>{writtenText(result)}</strong> written to <FileText className="mono" text={target} length={64} />
          </span>
        </p>
        <Notes notes={result.notes} />
        <WrittenFiles write={write} />
      </div>
      <div className="dialog-actions">
        <Button onClick={copy}>Copy Path</Button>
        {request.kind === 'convert' ? (
          <Button
            onClick={() => {
              onClose();
              void workspace.open({ kind: 'path', path: result.listing ?? target });
            }}
          >
            Open Result
          </Button>
        ) : null}
        <Button primary data-autofocus onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
};

const Stopped = ({
  write,
  onBack,
  onReplace,
}: {
  readonly write: Of<'failed'> | Of<'cancelled'>;
  onBack(): void;
  onReplace(request: WriteRequest): void;
}): JSX.Element => {
  const failure = write.state === 'failed' ? write.failure : undefined;
  const isTaken = failure?.code === 'file-exists';
  return (
    <>
      <div className="dialog-body write-body" role="alert">
        <p className={failure === undefined ? 'write-stopped' : 'write-stopped failed'}>
          <CircleAlert size={16} aria-hidden />
          <strong>
            {failure === undefined ? 'Cancelled' : isTaken ? 'Replace what is there?' : 'Nothing was written'}
          </strong>
        </p>
        <p className="file-text write-reason">
          {failure === undefined ? 'Nothing was written.' : escapeText(failure.what.slice(0, 2000))}
        </p>
        {failure === undefined ? null : (
          <p className="muted">
            {isTaken ? 'Replace the files of the same names, or go back and choose another place.' : failure.next}
          </p>
        )}
      </div>
      <div className="dialog-actions">
        {isTaken ? <Button onClick={() => onReplace(write.request)}>Replace</Button> : null}
        <Button primary data-autofocus onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  );
};

/** Where an export or a conversion stands: progress, what was written, or why nothing was. */
export const WriteView = ({
  session,
  onClose,
}: {
  readonly session: SessionStore;
  onClose(): void;
}): JSX.Element | null => {
  const workspace = useWorkspace();
  const write = useStore(session, (state) => state.write);
  const putAway = (): void => session.setState({ write: { state: 'idle' } });
  switch (write.state) {
    case 'idle':
      return null;
    case 'running':
      return <Running write={write} session={session} />;
    case 'done':
      return <Done write={write} onClose={onClose} />;
    default:
      return (
        <Stopped
          write={write}
          onBack={putAway}
          onReplace={(request) => workspace.startWrite(session, replacing(request))}
        />
      );
  }
};

/** The same request, but files that are there may be replaced. */
const replacing = (request: WriteRequest): WriteRequest =>
  request.kind === 'export'
    ? { kind: 'export', params: { ...request.params, overwrite: true } }
    : { kind: 'convert', params: { ...request.params, overwrite: true } };
