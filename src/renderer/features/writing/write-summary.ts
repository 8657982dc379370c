import type { WrittenFile } from '../../../shared/checkpoint-types.ts';
import { formatBytes, formatInt } from '../../../shared/format-number.ts';
import type { WriteRequest, WriteResult } from '../../state/write-job.ts';
import { folderOf } from './output-paths.ts';

const files = (count: number): string => (count === 1 ? '1 file' : `${formatInt(count)} files`);

/** What was written, in one line: `12 files, 536 MB`. */
export const writtenText = ({ written }: Pick<WriteResult, 'written'>): string =>
  `${files(written.length)}, ${formatBytes(written.reduce((sum, { bytes }) => sum + bytes, 0))}`;

/** The folder, or of a single converted file the file, that everything went to. */
export const targetOf = ({ kind }: WriteRequest, { written }: Pick<WriteResult, 'written'>): string => {
  const first = written[0]?.path ?? '';
  return kind === 'convert' && written.length === 1 ? first : folderOf(first);
};

/** What narrowing to float32 did to a file's numbers; undefined when it was not narrowed or nothing was lost. */
export const precisionText = ({ precision }: Pick<WrittenFile, 'precision'>): string | undefined => {
  if (precision === undefined || precision.inexact === 0) {
    return undefined;
  }
  const { values, inexact, overflowed } = precision;
  const infinite = overflowed === 0 ? '' : `, ${formatInt(overflowed)} of them infinite`;
  return `${formatInt(inexact)} of ${formatInt(values)} values inexact${infinite}`;
};
