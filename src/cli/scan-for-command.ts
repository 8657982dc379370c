import type { Checkpoint } from '../core/checkpoint.ts';
import type { ScannedTensor, TaskError } from '../node/scan/scan-tasks.ts';
import { scanTensors } from '../node/scan/scan-tensors.ts';
import { engineForCommand } from './engine-for-command.ts';
import { scanProgress } from './scan-progress.ts';

/** What came of a scan: one entry for each id asked for, in that order. */
export type ScanResult =
  | { readonly tensorId: number; readonly scanned: ScannedTensor }
  | { readonly tensorId: number; readonly error: TaskError };

export interface ScanForCommandOptions {
  /** Hands over the distributions too, by `onResult` alone: together they may be larger than memory. */
  readonly keep?: boolean;
  /** Called with each result as it comes, in no particular order. */
  readonly onResult?: (result: ScanResult) => void;
}

/** Scans tensors of a checkpoint for a command, with a progress bar on a terminal. */
export const scanForCommand = async (
  checkpoint: Checkpoint,
  ids: readonly number[],
  bins: number,
  { keep = false, onResult }: ScanForCommandOptions = {},
): Promise<ScanResult[]> => {
  const { table, sources } = checkpoint;
  const bytes = ids.reduce((sum, id) => {
    const [begin, end] = table.range(id) ?? [0, 0];
    return sum + end - begin;
  }, 0);
  const results = new Map<number, ScanResult>();
  const progress = scanProgress(bytes);
  const engine = await engineForCommand(bytes);
  try {
    await scanTensors(engine, {
      table,
      ids,
      sources,
      bins,
      keep,
      onTensor: (scanned) => {
        const { tensorId } = scanned;
        onResult?.({ tensorId, scanned });
        results.set(tensorId, { tensorId, scanned: { ...scanned, data: undefined } });
      },
      onFailed: (tensorId, error) => {
        onResult?.({ tensorId, error });
        results.set(tensorId, { tensorId, error });
      },
      onProgress: progress.update,
    });
  } finally {
    progress.stop();
    await engine.destroy();
  }
  const missing: TaskError = { code: 'internal', message: 'the scan returned nothing', details: {} };
  return ids.map((tensorId) => results.get(tensorId) ?? { tensorId, error: missing });
};
