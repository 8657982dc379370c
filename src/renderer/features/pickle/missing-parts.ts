import { escapeText } from '../../../shared/escape-text.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { PickleOverview } from '../../../shared/pickle-types.ts';
import { lineText } from '../../widgets/file-text.tsx';
import { pickleName } from './pickle-place.ts';

/** Pickles of which is said one by one that they were not read whole. */
const MOST_TOLD = 3;

/** What is missing from the list: pickles that end too early, and those that are not listed at all. */
export const missingParts = ({ pickles, unlisted }: PickleOverview): readonly string[] => {
  const cut = pickles.flatMap((pickle) =>
    pickle.problem === undefined ? [] : [`${lineText(pickleName(pickle), 80)}: ${escapeText(pickle.problem)}`],
  );
  const more = cut.length > MOST_TOLD ? [`${formatInt(cut.length - MOST_TOLD)} more pickles were not read whole`] : [];
  const left = unlisted === 1 ? '1 pickle was' : `${formatInt(unlisted)} pickles were`;
  return [
    ...cut.slice(0, MOST_TOLD),
    ...more,
    ...(unlisted > 0 ? [`${left} graded but not listed: together they are too large to keep`] : []),
  ];
};
