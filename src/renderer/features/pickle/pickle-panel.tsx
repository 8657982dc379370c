import { TriangleAlert } from 'lucide-react';
import { type JSX, useState } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import type { PickleOverview } from '../../../shared/pickle-types.ts';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { describeFailure } from '../../state/failure.ts';
import { usePickles } from '../../state/use-pickles.ts';
import { Button } from '../../widgets/button.tsx';
import { EmptyMessage, FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { firstShown, shownGrades } from './grades.tsx';
import { missingParts } from './missing-parts.ts';
import { PickleList } from './pickle-list.tsx';
import { useWantedEvent } from './use-wanted-event.ts';
import './pickle.css';

const Missing = ({ overview }: { readonly overview: PickleOverview }): JSX.Element | null => {
  const parts = missingParts(overview);
  return parts.length === 0 ? null : (
    <div className="pickle-missing" role="note" data-state-of-panel="partial">
      {parts.map((text) => (
        <p key={text} className="file-text">
          <TriangleAlert size={13} aria-hidden />
          {text}
        </p>
      ))}
    </div>
  );
};

const Loaded = ({ overview }: { readonly overview: PickleOverview }): JSX.Element => {
  const session = useSessionStore();
  const chosen = useSession((state) => state.gradesShown);
  const { counts } = overview;
  const shown = chosen ?? firstShown(counts);
  const grades = shownGrades(shown);
  const key = grades.join();
  /** The selected row; other grades make other rows of the same place. */
  const [selected, select] = useState({ key, index: -1 });
  useWantedEvent(shown, grades, (index) => {
    select({ key, index });
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.pickle-list')?.focus());
  });
  const total = grades.reduce((sum, grade) => sum + counts[grade], 0);
  const all = counts.dangerous + counts.unknown + counts.allowed;
  if (total > 0) {
    return (
      <PickleList
        key={key}
        overview={overview}
        grades={grades}
        total={total}
        at={selected.key === key ? selected.index : -1}
        onMove={(index) => select({ key, index })}
      />
    );
  }
  return all === 0 ? (
    <EmptyMessage title="Nothing would run">
      Loading this would import and call nothing: the pickle only holds plain data.
    </EmptyMessage>
  ) : (
    <EmptyMessage title={`All ${formatInt(all)} imports and calls are hidden by the grade switches`}>
      <Button
        className="small"
        onClick={() => session.setState({ gradesShown: { dangerous: true, unknown: true, allowed: true } })}
      >
        Show all
      </Button>
    </EmptyMessage>
  );
};

/** "What would run": each import and each call in every pickle of the file, with its grade and why. */
export const PicklePanel = (): JSX.Element => {
  const { data: overview, error, refetch } = usePickles();
  if (error !== null) {
    return (
      <FailureMessage where="The pickles could not be listed" failure={describeFailure(error)}>
        <Button onClick={() => void refetch()}>Try again</Button>
      </FailureMessage>
    );
  }
  return overview === undefined ? (
    <Skeleton label="Listing what the pickles would run" lines={4} />
  ) : (
    <>
      <Missing overview={overview} />
      <Loaded overview={overview} />
    </>
  );
};
