import type { JSX } from 'react';
import { useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import './help.css';

/** Name, version, and what the program promises. */
export const AboutDialog = (): JSX.Element => {
  const workspace = useWorkspace();
  const shell = useWorkspaceState((state) => state.shell);
  return (
    <DialogFrame title="Tensor Loupe" onClose={() => workspace.showDialog(undefined)}>
      <div className="dialog-body about">
        <p>
          Version {shell?.version ?? 'unknown'}, {shell?.kind === 'electron' ? 'desktop' : 'browser'} version on{' '}
          {shell?.platform ?? 'an unknown system'}
        </p>
        <p>
          Shows what is really inside the weight files of machine-learning models. It reads them in place, runs none of
          their code, sends nothing anywhere, and changes no file it opens.
        </p>
        <p className="muted">MIT licence</p>
      </div>
    </DialogFrame>
  );
};
