import type { Checkpoint } from '../../core/checkpoint.ts';

/** A write of many tensors, how it is done, and whoever watches it. */
export interface WriteJob<Options> {
  readonly checkpoint: Checkpoint;
  readonly options: Options;
  readonly signal?: AbortSignal | undefined;
  /** Bytes written so far, of how many; of text only the tensors' own size is known. Called after every piece. */
  readonly onProgress?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}
