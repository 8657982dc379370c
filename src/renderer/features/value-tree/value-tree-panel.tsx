import { type JSX, useEffect } from 'react';
import { escapeText } from '../../../shared/escape-text.ts';
import type { PickleOverview } from '../../../shared/pickle-types.ts';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { describeFailure } from '../../state/failure.ts';
import { usePickles } from '../../state/use-pickles.ts';
import { Button } from '../../widgets/button.tsx';
import { EmptyMessage, FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { closedTrees, setOpened } from './open-values.ts';
import { ValueTree } from './value-tree.tsx';
import './value-tree.css';

/** Why there is no tree: the first pickle that was not read to its end. */
const whyNone = ({ pickles }: PickleOverview): string => {
  const problem = pickles.find((pickle) => pickle.problem !== undefined)?.problem;
  return problem === undefined ? 'The file holds no pickle.' : `The pickle is not whole: ${escapeText(problem)}.`;
};

const Loaded = ({ overview }: { readonly overview: PickleOverview }): JSX.Element => {
  const session = useSessionStore();
  const trees = useSession((state) => state.openValues);
  useEffect(() => {
    if (session.getState().openValues === undefined) {
      const [first] = overview.trees;
      const closed = closedTrees(overview.trees.length);
      const children = first?.root.children ?? 0;
      session.setState({ openValues: children > 0 ? setOpened(closed, [0], children) : closed });
    }
  }, [session, overview]);
  if (overview.trees.length === 0) {
    return (
      <EmptyMessage title="No values">
        {whyNone(overview)} What was imported and called before that is under Pickle.
      </EmptyMessage>
    );
  }
  return trees === undefined ? (
    <Skeleton label="Loading the values" lines={4} />
  ) : (
    <ValueTree overview={overview} trees={trees} />
  );
};

/** The half of a pickle that is no tensor: epoch, hyperparameters, optimizer state, as a tree opened step by step. */
export const ValueTreePanel = (): JSX.Element => {
  const { data: overview, error, refetch } = usePickles();
  if (error !== null) {
    return (
      <FailureMessage where="The values could not be listed" failure={describeFailure(error)}>
        <Button onClick={() => void refetch()}>Try again</Button>
      </FailureMessage>
    );
  }
  return overview === undefined ? <Skeleton label="Loading the values" lines={4} /> : <Loaded overview={overview} />;
};
