import { CircleCheck } from 'lucide-react';
import type { JSX } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import {
  type GradeCounts,
  PICKLE_GRADES,
  type PickleEventRowKind,
  type PickleGrade,
} from '../../../shared/pickle-types.ts';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { usePickles } from '../../state/use-pickles.ts';
import { SeverityIcon } from '../../widgets/verdict-icon.tsx';

/** Words for grades. Never "safe". */
export const GRADE_WORDS: Readonly<Record<PickleGrade, string>> = {
  dangerous: 'Danger',
  unknown: 'Unknown',
  allowed: 'Allowed',
};

/** Words for what happens. */
export const KIND_WORDS: Readonly<Record<PickleEventRowKind, string>> = {
  import: 'Import',
  'computed-import': 'Computed import',
  extension: 'Import by number',
  call: 'Call',
  state: 'Set state',
  'changed-import': 'Change import',
};

/** A grade's icon; each has a shape of its own. */
export const GradeIcon = ({
  grade,
  size = 13,
}: {
  readonly grade: PickleGrade;
  readonly size?: number;
}): JSX.Element =>
  grade === 'allowed' ? (
    <CircleCheck size={size} aria-hidden className="grade-icon allowed" />
  ) : (
    <SeverityIcon severity={grade === 'dangerous' ? 'danger' : 'warning'} size={size} />
  );

/** What is listed before anything was chosen: what ordinary checkpoints do only where there is nothing else. */
export const firstShown = ({ dangerous, unknown }: GradeCounts): Readonly<Record<PickleGrade, boolean>> => ({
  dangerous: true,
  unknown: true,
  allowed: dangerous + unknown === 0,
});

/** Grades that are listed, worst first. */
export const shownGrades = (shown: Readonly<Record<PickleGrade, boolean>>): PickleGrade[] =>
  PICKLE_GRADES.filter((grade) => shown[grade]);

/** The grades as switches, each with its count. */
export const GradeFilter = (): JSX.Element | null => {
  const session = useSessionStore();
  const chosen = useSession((state) => state.gradesShown);
  const { data } = usePickles();
  if (data === undefined) {
    return null;
  }
  const shown = chosen ?? firstShown(data.counts);
  return (
    <fieldset className="severity-filter" aria-label="Grades shown">
      {PICKLE_GRADES.filter((grade) => data.counts[grade] > 0).map((grade) => (
        <button
          key={grade}
          type="button"
          className="severity-switch"
          aria-pressed={shown[grade]}
          onClick={() => session.setState({ gradesShown: { ...shown, [grade]: !shown[grade] } })}
        >
          <GradeIcon grade={grade} size={12} />
          {GRADE_WORDS[grade]} {formatInt(data.counts[grade])}
        </button>
      ))}
    </fieldset>
  );
};
