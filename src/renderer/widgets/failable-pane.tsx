import type { JSX, ReactNode } from 'react';
import { describeFailure } from '../state/failure.ts';
import { Button } from './button.tsx';
import './failable-pane.css';
import { FailureMessage } from './message.tsx';

/**
 * A pane whose content may fail to arrive. What went wrong lies over the content, which stays: a scrolled list that was
 * taken out of the page would lose its place and size.
 */
export const FailablePane = ({
  where,
  error,
  onRetry,
  children,
}: {
  /** What could not be done, as a clause. */
  readonly where: string;
  readonly error: Error | undefined;
  onRetry(): void;
  readonly children: ReactNode;
}): JSX.Element => (
  <div className="failable-pane">
    <div className="failable-content" inert={error !== undefined}>
      {children}
    </div>
    {error === undefined ? null : (
      <div className="failable-over">
        <FailureMessage where={where} failure={describeFailure(error)}>
          <Button onClick={onRetry}>Try again</Button>
        </FailureMessage>
      </div>
    )}
  </div>
);
