import type { JSX } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { viewFacts, viewHover, viewWord } from './view-text.ts';
import './views.css';

/** Characters of a name that its badge takes the place of. */
export const BADGE_CHARACTERS = 8;

/** Marks a tensor that does not have its storage for itself. */
export const ViewBadge = ({ row }: { readonly row: TensorRow }): JSX.Element | null => {
  const word = viewWord(row);
  return word === undefined ? null : (
    <span className="view-badge" title={viewHover(row)}>
      {word}
    </span>
  );
};

/** Strides, storage and offset of such a tensor, and what quantised integers stand for. */
export const ViewFacts = ({ row }: { readonly row: TensorRow }): JSX.Element | null => {
  const facts = viewFacts(row);
  return facts.length === 0 ? null : (
    <dl className="view-facts" aria-label="How it lies in its storage">
      {facts.map(([term, description]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  );
};
