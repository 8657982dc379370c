import type { PickleEventRow, PickleInfo } from '../../../shared/pickle-types.ts';
import { GRADE_WORDS, KIND_WORDS } from './grades.tsx';

/** Which pickle, in words: its member or file, and where in it. Raw text. */
export const pickleName = ({ file, member, label }: PickleInfo): string =>
  label === '' ? (member ?? file) : `${member ?? file}, ${label}`;

/** An event as one line of text, to be copied. Raw text. */
export const eventLine = (row: PickleEventRow, pickle: PickleInfo | undefined): string => {
  const where = pickle === undefined ? '' : ` of ${pickleName(pickle)}`;
  const how = `${KIND_WORDS[row.kind]} ${row.what}${row.args}`;
  return `${GRADE_WORDS[row.grade]}: ${how} – ${row.why} (${row.opcode} at byte ${row.byte}${where})`;
};
