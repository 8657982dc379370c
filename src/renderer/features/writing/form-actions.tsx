import { Terminal } from 'lucide-react';
import type { JSX } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { Button } from '../../widgets/button.tsx';
import { writeClipboard } from '../commands/copy-text.ts';

/** The foot of a writing form: the command line, what is still missing, and the way on. */
export const FormActions = ({
  command,
  problem,
  submit,
}: {
  readonly command: string;
  /** Why it cannot be done yet; undefined when it can. */
  readonly problem: string | undefined;
  readonly submit: string;
}): JSX.Element => {
  const workspace = useWorkspace();
  const copy = (): void => {
    writeClipboard(command).then(
      () => workspace.toasts.info('Copied the command'),
      (error: unknown) => workspace.toasts.fail('Copying failed', error),
    );
  };
  return (
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
  );
};
