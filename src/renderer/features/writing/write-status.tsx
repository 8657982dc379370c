import { X } from 'lucide-react';
import type { JSX } from 'react';
import { useSession, useSessionStore, useWorkspace } from '../../state/context.tsx';

/** In the status bar: an export or a conversion that runs in the background. */
export const WriteStatus = (): JSX.Element | null => {
  const workspace = useWorkspace();
  const session = useSessionStore();
  const write = useSession((state) => state.write);
  if (write.state !== 'running') {
    return null;
  }
  const { progress, request } = write;
  const done = progress === undefined || progress.bytesTotal === 0 ? 0 : progress.bytesDone / progress.bytesTotal;
  const word = request.kind === 'export' ? 'Exporting' : 'Converting';
  return (
    <span className="status-scan">
      <span>
        {word} {Math.floor(done * 100)} %
      </span>
      <progress className="status-progress" max={1} value={done} aria-label={word} />
      <button
        type="button"
        className="status-button"
        onClick={() => workspace.showDialog(request.kind === 'export' ? 'export-matching' : 'convert')}
      >
        Show
      </button>
      <button
        type="button"
        className="status-button"
        aria-label={`Cancel ${word.toLowerCase()}`}
        onClick={() => workspace.cancelWrite(session)}
      >
        <X size={12} aria-hidden />
        Cancel
      </button>
    </span>
  );
};
