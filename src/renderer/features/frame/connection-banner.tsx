import { Unplug } from 'lucide-react';
import type { JSX } from 'react';
import { escapeText } from '../../../shared/escape-text.ts';
import { useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import { Button } from '../../widgets/button.tsx';

/** Says that the service is gone, and offers to connect again. */
export const ConnectionBanner = (): JSX.Element | null => {
  const workspace = useWorkspace();
  const connection = useWorkspaceState((state) => state.connection);
  const failure = useWorkspaceState((state) => state.connectionFailure);
  return connection !== 'lost' ? null : (
    <div className="banner" role="alert">
      <Unplug size={16} aria-hidden />
      <span>
        Connection lost. What is shown stays; nothing new can be read.
        {failure === undefined ? '' : ` (${escapeText(failure)})`}
      </span>
      <Button onClick={() => void workspace.connect()}>Reconnect</Button>
    </div>
  );
};
