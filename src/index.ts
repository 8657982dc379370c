/**
 * Tensor Loupe as a library: opens the weight files of machine-learning models without running anything in them.
 *
 * {@link open} is strict: the first fault throws. {@link inspect} is lenient: everything intact is usable and the findings
 * say what is wrong. {@link write} makes safetensors files. Every error thrown on purpose derives from {@link LoupeError}.
 */
import type { ByteSource } from './core/bytes/byte-source.ts';
import { memorySource } from './core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource, strictly } from './core/checkpoint.ts';
import type { ReadOptions } from './core/formats/read-options.ts';
import { inspectPath } from './node/open-checkpoint.ts';

/** A path (a file, a shard index, a shard or a folder), the bytes of a file, or anything that can be read at an offset. */
export type Openable = string | Uint8Array | ByteSource;

/** How a checkpoint is opened. */
export type OpenOptions = Pick<ReadOptions, 'headerCap' | 'allowGaps' | 'allowTrailingBytes'>;

const inspectAnything = (what: Openable, options: OpenOptions): Promise<Checkpoint> => {
  if (typeof what === 'string') {
    return inspectPath(what, options);
  }
  return inspectSource(what instanceof Uint8Array ? memorySource(what) : what, options);
};

/**
 * Opens a checkpoint strictly.
 *
 * @throws CheckpointError with the first finding that a reference reader would refuse (`headerCap`, `allowGaps` and
 *   `allowTrailingBytes` relax that); OpenFileError when there is no such file.
 */
export const open = async (what: Openable, options: OpenOptions = {}): Promise<Checkpoint> =>
  strictly(await inspectAnything(what, options));

/**
 * Opens a checkpoint leniently: `checkpoint.findings` says what is wrong, and damaged tensors alone are refused when they
 * are read. A file that is no checkpoint has format `unrecognised` and no tensors.
 *
 * @throws OpenFileError when there is no such file.
 */
export const inspect = (what: Openable, options: OpenOptions = {}): Promise<Checkpoint> =>
  inspectAnything(what, options);

export type { ByteSource } from './core/bytes/byte-source.ts';
export { memorySource } from './core/bytes/memory-source.ts';
export { Checkpoint } from './core/checkpoint.ts';
export type { ExactValue } from './core/dtypes/exact-values.ts';
export type { F6Order } from './core/dtypes/sub-byte.ts';
export {
  CheckpointError,
  ClosedError,
  FileChangedError,
  OpenFileError,
  OutOfRangeError,
  SliceError,
  TensorLookupError,
  UnreadableTensorError,
} from './core/errors.ts';
export type { SliceItem } from './core/tensor/slice.ts';
export { type ElementRange, type Selection, Tensor } from './core/tensor/tensor.ts';
export type { Chunks } from './core/writing/exact-chunks.ts';
export {
  type FinishedFile,
  type SafetensorsFile,
  type TensorData,
  type WriteOptions,
  write,
} from './node/writing/safetensors-file.ts';
export type { CheckpointSummary, Histogram, MetadataEntry, TensorRow, TensorStats } from './shared/checkpoint-types.ts';
export { CancelledError, isLoupeError, LoupeError } from './shared/errors.ts';
export type { Finding, FindingCode, Severity, Verdict } from './shared/findings.ts';
