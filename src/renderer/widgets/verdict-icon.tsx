import { CircleAlert, CircleCheck, CircleHelp, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { JSX } from 'react';
import type { Severity, Verdict } from '../../shared/findings.ts';

const SEVERITY_ICONS = { danger: OctagonAlert, error: CircleAlert, warning: TriangleAlert, note: Info } as const;
const VERDICT_ICONS = {
  dangerous: OctagonAlert,
  damaged: CircleAlert,
  incomplete: CircleHelp,
  warnings: TriangleAlert,
  clean: CircleCheck,
} as const;

/** Words for severities, as they are shown. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  danger: 'Danger',
  error: 'Error',
  warning: 'Warning',
  note: 'Note',
};

/** Words for verdicts, as they are shown. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  dangerous: 'Dangerous',
  damaged: 'Damaged',
  incomplete: 'Incomplete',
  warnings: 'Warnings',
  clean: 'Clean',
};

/** A severity's icon; each has a shape of its own. */
export const SeverityIcon = ({
  severity,
  size = 14,
}: {
  readonly severity: Severity;
  readonly size?: number;
}): JSX.Element => {
  const Icon = SEVERITY_ICONS[severity];
  return <Icon size={size} aria-hidden className={`severity-icon ${severity}`} />;
};

/** A verdict's icon; each has a shape of its own. */
export const VerdictIcon = ({
  verdict,
  size = 14,
}: {
  readonly verdict: Verdict;
  readonly size?: number;
}): JSX.Element => {
  const Icon = VERDICT_ICONS[verdict];
  return <Icon size={size} aria-hidden />;
};
