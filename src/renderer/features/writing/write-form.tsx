import { Terminal } from 'lucide-react';
import type { JSX, ReactNode } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import type { WriteRequest } from '../../state/write-job.ts';
import { Button } from '../../widgets/button.tsx';
import { writeClipboard } from '../commands/copy-text.ts';

/** The form of a writing dialog: its fields, and the foot with the command line, what is still missing, and the way on. */
export const WriteForm = ({
  session,
  request,
  command,
  problem,
  submit,
  children,
}: {
  readonly session: SessionStore;
  /** What the form asks for. */
  readonly request: WriteRequest;
  /** The same as a command line. */
  readonly command: string;
  /** Why it cannot be done yet; undefined when it can. */
  readonly problem: string | undefined;
  readonly submit: string;
  readonly children: ReactNode;
}): JSX.Element => {
  const workspace = useWorkspace();
  const copy = (): void => {
    writeClipboard(command).then(
      () => workspace.toasts.info('Copied the command'),
      (error: unknown) => workspace.toasts.fail('Copying failed', error),
    );
  };
  return (
    <form
      className="write-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) {
          workspace.startWrite(session, request);
        }
      }}
    >
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions spread">
        <Button title={command.slice(0, 2000)} disabled={problem !== undefined} onClick={copy}>
          <Terminal size={14} aria-hidden />
          Copy as Command
        </Button>
        <span className="dialog-buttons">
          {problem === undefined ? null : (
            <span className="form-problem" role="status">
              {problem}
            </span>
          )}
          <Button onClick={() => workspace.showDialog(undefined)}>Cancel</Button>
          <Button primary type="submit" disabled={problem !== undefined}>
            {submit}
          </Button>
        </span>
      </div>
    </form>
  );
};
