import { formatInt } from '../../../shared/format-number.ts';

/** Height of a row in pixels. */
export const ROW = 24;

/** Browsers draw no element taller than about 33.5 million pixels (Chromium); rows beyond are reached by filtering. */
export const ROW_LIMIT = Math.floor(33_000_000 / ROW);

/** What the foot of the table says when it cannot show all rows; undefined when it can. */
export const cutText = (rows: number): string | undefined =>
  rows <= ROW_LIMIT
    ? undefined
    : `The table ends after ${formatInt(ROW_LIMIT)} of ${formatInt(rows)} rows. Filter to see the others, or sort the other way round.`;
