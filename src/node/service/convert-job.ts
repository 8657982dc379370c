import { type Converted, type ConvertOptions, convertCheckpoint } from '../writing/convert-checkpoint.ts';
import type { WriteJob } from '../writing/write-job.ts';
import { withPacedProgress } from './paced-progress.ts';

/**
 * Converts a session's checkpoint for its window: as {@link convertCheckpoint}, in the calling thread without holding it up,
 * with progress ten times a second.
 *
 * @throws as {@link convertCheckpoint}.
 */
export const convertJob = (job: WriteJob<ConvertOptions>): Promise<Converted> =>
  withPacedProgress(job.onProgress, (onProgress) => convertCheckpoint({ ...job, onProgress }));
