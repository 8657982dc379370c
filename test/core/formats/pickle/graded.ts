import { gradePickle, type PickleWhere } from '../../../../src/core/formats/pickle/grade-pickle.ts';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import type { Finding } from '../../../../src/shared/findings.ts';
import { type Part, stream } from './pickle-bytes.ts';

/** The findings of a pickle's bytes. */
export const grade = (bytes: Uint8Array, where: Partial<PickleWhere> = {}): readonly Finding[] =>
  gradePickle(runPickle(bytes), { file: 'model.pt', base: 0, ...where });

/** The codes of the findings of a pickle made of parts. */
export const codes = (...parts: readonly Part[]): readonly string[] => grade(stream(...parts)).map(({ code }) => code);

export const DANGER = 'pickle-dangerous-import';
export const CALL = 'pickle-dangerous-call';
export const UNKNOWN = 'pickle-unknown-import';
