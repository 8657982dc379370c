import { elideMiddle } from '../shared/escape-text.ts';

/** Characters of a name shown in a message. */
const SHOWN = 200;

/**
 * A name out of a file for a message: quoted, its middle cut out when it is long. A name can have millions of characters
 * and be mentioned in thousands of messages; whole names are a finding's `tensor`.
 */
export const quoteName = (name: string): string => `"${elideMiddle(name, SHOWN)}"`;
