import type { MetadataEntry } from '../shared/checkpoint-types.ts';
import type { FindingList } from './finding-list.ts';
import type { TensorTable } from './tensor/tensor-table.ts';

/** What a format reader makes of a file: tensors, metadata, findings. The bytes stay where they are. */
export interface CheckpointContent {
  /** Format id, such as `safetensors`; `unrecognised` when the file is no checkpoint. */
  readonly format: string;
  readonly table: TensorTable;
  readonly metadata: readonly MetadataEntry[];
  readonly findings: FindingList;
  /** Bytes claimed by at least one tensor, each counted once. */
  readonly claimedBytes: number;
  /** Bytes that a file merely cut short would have to be longer; 0 when it is whole. */
  readonly missingBytes: number;
}
