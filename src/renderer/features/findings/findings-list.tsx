import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { escapeText } from '../../../shared/escape-text.ts';
import { type Finding, SEVERITIES, type Severity } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { useSession, useSessionStore, useWorkspace } from '../../state/context.tsx';
import { loadFindings } from '../../state/load-session.ts';
import { Button } from '../../widgets/button.tsx';
import { FileText, hoverText } from '../../widgets/file-text.tsx';
import { EmptyMessage, FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { SEVERITY_WORDS, SeverityIcon } from '../../widgets/verdict-icon.tsx';
import { goToEvent } from '../pickle/go-to-event.ts';
import { nextPlace } from '../table/use-table-keys.ts';
import { goToFinding } from './next-finding.ts';
import './findings.css';

const LINE = 26;

const FindingRow = memo(
  ({
    finding,
    index,
    top,
    selected,
  }: {
    readonly finding: Finding;
    readonly index: number;
    readonly top: number;
    readonly selected: boolean;
  }): JSX.Element => (
    <div
      role="option"
      id={`finding-${index}`}
      aria-selected={selected}
      className={selected ? 'finding-row selected' : 'finding-row'}
      data-finding={index}
      data-code={finding.code}
      tabIndex={-1}
      style={{ transform: `translateY(${top}px)` }}
      title={hoverText(finding.message)}
    >
      <span className={`finding-severity ${finding.severity}`}>
        <SeverityIcon severity={finding.severity} size={13} />
        {SEVERITY_WORDS[finding.severity]}
      </span>
      <span className="finding-message file-text">{escapeText(finding.message.slice(0, 1000))}</span>
      <span className="finding-tensor">
        {finding.pickle !== undefined ? (
          <span className="finding-jump" data-jump title="Enter shows it among the imports and calls">
            Show in Pickle
          </span>
        ) : finding.tensor === undefined ? (
          <FileText text={finding.file} length={32} />
        ) : (
          <FileText className="mono" text={finding.tensor} length={32} />
        )}
      </span>
      <span className="finding-offset num">{finding.offset === undefined ? '' : `@ ${formatInt(finding.offset)}`}</span>
    </div>
  ),
);

/** The findings' severities as switches, each with its count. */
export const SeverityFilter = (): JSX.Element => {
  const session = useSessionStore();
  const counts = useSession((state) => state.counts);
  const shown = useSession((state) => state.severityShown);
  const toggle = (severity: Severity): void =>
    session.setState({ severityShown: { ...shown, [severity]: !shown[severity] } });
  return (
    <fieldset className="severity-filter" aria-label="Severities shown">
      {SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => (
        <button
          key={severity}
          type="button"
          className="severity-switch"
          aria-pressed={shown[severity]}
          onClick={() => toggle(severity)}
        >
          <SeverityIcon severity={severity} size={12} />
          {SEVERITY_WORDS[severity]} {formatInt(counts[severity])}
        </button>
      ))}
    </fieldset>
  );
};

/** The list of findings; a click or Enter goes to the tensor. */
export const FindingsList = (): JSX.Element => {
  const workspace = useWorkspace();
  const session = useSessionStore();
  const findings = useSession((state) => state.findings);
  const load = useSession((state) => state.findingsLoad);
  const severityShown = useSession((state) => state.severityShown);
  const findingAt = useSession((state) => state.findingAt);
  const isScanning = useSession((state) => state.scan.state === 'running');
  const shown = useMemo(
    () => findings.flatMap((finding, index) => (severityShown[finding.severity] ? [index] : [])),
    [findings, severityShown],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: useCallback(() => scroller.current, []),
    estimateSize: useCallback(() => LINE, []),
    overscan: 6,
  });
  const at = findingAt === undefined ? -1 : shown.indexOf(findingAt);
  useEffect(() => {
    if (at >= 0) {
      virtualizer.scrollToIndex(at, { align: 'auto' });
    }
  }, [at, virtualizer]);

  const showEvent = (finding: Finding | undefined): void => {
    if (finding?.pickle !== undefined) {
      goToEvent(session, finding);
    }
  };

  if (load.state === 'failed') {
    return (
      <FailureMessage where="The findings could not be read" failure={load.failure}>
        <Button onClick={() => void loadFindings(workspace.client().api, session)}>Try again</Button>
      </FailureMessage>
    );
  }
  if (load.state === 'loading' && findings.length === 0) {
    return <Skeleton label="Loading findings" lines={3} />;
  }
  if (shown.length === 0) {
    return findings.length > 0 ? (
      <EmptyMessage title="All findings are hidden by the severity switches" />
    ) : (
      <EmptyMessage title="No findings">
        {isScanning
          ? 'The structure is whole. Values are still being scanned.'
          : 'The structure is whole; no suspicious imports found.'}
      </EmptyMessage>
    );
  }
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Findings"
      tabIndex={0}
      aria-activedescendant={at >= 0 ? `finding-${findingAt}` : undefined}
      className={at >= 0 ? 'findings-list' : 'findings-list no-selection'}
      data-area-focus
      onClick={(event) => {
        const index =
          event.target instanceof Element
            ? event.target.closest<HTMLElement>('[data-finding]')?.dataset.finding
            : undefined;
        const isJump = event.target instanceof Element && event.target.closest('[data-jump]') !== null;
        if (index !== undefined) {
          goToFinding(session, Number(index));
          showEvent(isJump ? findings[Number(index)] : undefined);
        }
      }}
      onKeyDown={(event) => {
        const next = nextPlace(event.key, at, shown.length, 5);
        const index = next === undefined ? undefined : shown[next];
        if (index !== undefined) {
          event.preventDefault();
          session.setState({ findingAt: index });
        } else if (event.key === 'Enter' && findingAt !== undefined) {
          event.preventDefault();
          goToFinding(session, findingAt);
          showEvent(findings[findingAt]);
        }
      }}
    >
      <div className="findings-body" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const place = shown[index] ?? 0;
          const finding = findings[place];
          return finding === undefined ? null : (
            <FindingRow key={place} finding={finding} index={place} top={start} selected={place === findingAt} />
          );
        })}
      </div>
    </div>
  );
};
