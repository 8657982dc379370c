import { X } from 'lucide-react';
import type { JSX } from 'react';
import { formatBytes, formatInt } from '../../../shared/format-number.ts';
import { useSession, useSessionStore, useWorkspace } from '../../state/context.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { commandPath } from '../commands/command-path.ts';
import { shownPlaces } from '../table/shown-rows.ts';
import { WriteStatus } from '../writing/write-status.tsx';
import { timeLeft } from './time-left.ts';
import './status-bar.css';

const Running = (): JSX.Element => {
  const workspace = useWorkspace();
  const session = useSessionStore();
  const progress = useSession(({ scan }) => (scan.state === 'running' ? scan.progress : undefined));
  const done = progress === undefined || progress.bytesTotal === 0 ? 0 : progress.bytesDone / progress.bytesTotal;
  const left =
    progress === undefined ? '' : timeLeft(progress.bytesTotal - progress.bytesDone, progress.bytesPerSecond);
  return (
    <span className="status-scan">
      <span>Scanning {Math.floor(done * 100)} %</span>
      <progress className="status-progress" max={1} value={done} aria-label="Scan" />
      {progress === undefined ? null : (
        <span className="muted">
          {formatBytes(progress.bytesDone)} of {formatBytes(progress.bytesTotal)}
          {progress.bytesPerSecond > 0 ? ` · ${formatBytes(progress.bytesPerSecond)}/s` : ''}
          {left === '' ? '' : ` · ${left}`}
        </span>
      )}
      <button type="button" className="status-button" onClick={() => workspace.cancelScan(session)}>
        <X size={12} aria-hidden />
        Cancel
      </button>
    </span>
  );
};

const ScanStatus = (): JSX.Element => {
  const workspace = useWorkspace();
  const session = useSessionStore();
  const scan = useSession((state) => state.scan);
  const results = useSession((state) => (state.numbersVersion >= 0 ? state.numbers.size : 0));
  const total = useSession((state) => state.summary.tensors);
  const dataBytes = useSession((state) => state.summary.dataBytes);
  const start = (word: string): JSX.Element => (
    <button type="button" className="status-button" onClick={() => workspace.startScan(session)}>
      {word}
    </button>
  );
  switch (scan.state) {
    case 'running':
      return <Running />;
    case 'done':
      return (
        <span className="status-scan">
          Scanned {formatInt(scan.outcome.scanned)} {scan.outcome.scanned === 1 ? 'tensor' : 'tensors'}
          {scan.outcome.skipped === 0 ? '' : ` · ${formatInt(scan.outcome.skipped)} could not be read`}
        </span>
      );
    case 'cancelled':
      return (
        <span className="status-scan">
          Scan cancelled, {formatInt(results)} of {formatInt(total)} done {start('Scan again')}
        </span>
      );
    case 'failed':
      return (
        <span className="status-scan" title={scan.failure.next}>
          Scan failed: <FileText text={scan.failure.what} length={80} /> {start('Try again')}
        </span>
      );
    default:
      return total === 0 ? (
        <span className="status-scan muted">Nothing to scan</span>
      ) : (
        <span className="status-scan">
          Values not scanned ({formatBytes(dataBytes)}) {start('Scan')}
        </span>
      );
  }
};

/** The line at the bottom of the window: the scan, how many rows are shown, the file's path. */
export const StatusBar = (): JSX.Element => {
  const path = useSession(commandPath);
  const total = useSession((state) => state.rows.length);
  const shown = useSession((state) => shownPlaces(state).length);
  return (
    <section className="status-bar" aria-label="Status" data-area="status">
      <ScanStatus />
      <WriteStatus />
      <span className="status-count" data-testid="status-count">
        {formatInt(shown)} of {formatInt(total)}
      </span>
      <FileText className="status-path" text={path} length={70} />
    </section>
  );
};
