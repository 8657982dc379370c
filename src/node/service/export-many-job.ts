import { type ExportedMany, type ExportManyOptions, exportMany } from '../writing/export-many.ts';
import type { WriteJob } from '../writing/write-job.ts';
import { withPacedProgress } from './paced-progress.ts';

/**
 * Exports many tensors of a session's checkpoint for its window: as {@link exportMany}, with progress ten times a second.
 *
 * @throws as {@link exportMany}.
 */
export const exportManyJob = (job: WriteJob<ExportManyOptions>): Promise<ExportedMany> =>
  withPacedProgress(job.onProgress, (onProgress) => exportMany({ ...job, onProgress }));
