import { UnreadableTensorError } from '../../core/errors.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import type { ScannedTensor, TaskError } from '../scan/scan-tasks.ts';
import { scanTensors } from '../scan/scan-tensors.ts';
import type { Session } from './session.ts';

/**
 * Scans one tensor of a session now, with its distribution kept.
 *
 * @throws UnreadableTensorError; CancelledError; LoupeError with the code the scan failed with, such as `file-changed`.
 */
export const scanOneTensor = async (
  engine: ScanEngine,
  session: Session,
  tensorId: number,
  bins: number,
  signal: AbortSignal,
): Promise<ScannedTensor> => {
  const { table, sources } = session.checkpoint;
  const tensor = session.checkpoint.tensor(tensorId);
  const { problem } = tensor.row;
  if (problem !== undefined) {
    throw new UnreadableTensorError(tensor.name, problem);
  }
  let scanned: ScannedTensor | undefined;
  let failed: TaskError = { code: 'internal', message: 'the scan returned nothing', details: {} };
  await scanTensors(engine, {
    table,
    ids: [tensorId],
    sources,
    bins,
    keep: true,
    signal,
    onTensor: (result) => {
      scanned = result;
    },
    onFailed: (_id, error) => {
      failed = error;
    },
  });
  if (scanned === undefined) {
    throw new LoupeError(failed.code, failed.message, failed.details);
  }
  return scanned;
};
