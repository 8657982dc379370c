import type { CodeFile, MetadataEntry } from '../shared/checkpoint-types.ts';
import type { FindingList } from './finding-list.ts';
import type { PickleNode } from './formats/pickle/nodes.ts';
import type { PickleLog } from './formats/pickle/pickle-log.ts';
import type { CheckableBytes } from './formats/pytorch/check-archive.ts';
import type { InnerSource } from './formats/pytorch/inner-source.ts';
import type { TableTotals } from './tensor/table-totals.ts';
import { TensorTable } from './tensor/tensor-table.ts';
import { TensorTableBuilder } from './tensor/tensor-table-builder.ts';

/** What a format reader makes of a file: tensors, metadata, findings. The bytes stay where they are. */
export interface CheckpointContent {
  /** Format id, such as `safetensors`; `unrecognised` when the file is no checkpoint. */
  readonly format: string;
  readonly table: TensorTable;
  readonly totals: TableTotals;
  readonly metadata: readonly MetadataEntry[];
  readonly findings: FindingList;
  /** Bytes claimed by at least one tensor, each counted once. */
  readonly claimedBytes: number;
  /** Bytes that a file merely cut short would have to be longer; 0 when it is whole. */
  readonly missingBytes: number;
  /** Why the list of tensors is not known, or not all of it: nothing follows from a name that is missing. */
  readonly listProblem?: string;
  /** Sources inside the file, such as compressed members: files 1 and on of the table (see `openInner`). */
  readonly members?: readonly InnerSource[];
  /** Zip archives among the table's files, whose members `checkArchive` can read through. */
  readonly archives?: readonly ArchiveContent[];
  /** Source files of a TorchScript archive. */
  readonly code?: readonly CodeFile[];
  /** The value trees of its pickles, carried out symbolically. */
  readonly pickles?: readonly ValueTree[];
  /** Every pickle that was graded, for a list of what each would run. */
  readonly pickleLog?: PickleLog;
}

/** A file whose members opening did not read. */
export interface ArchiveContent {
  /** Index into the table's files. */
  readonly file: number;
  readonly unread: CheckableBytes;
}

/** What one pickle of a file would build. */
export interface ValueTree {
  /** Name of the record; the file's own name for a pickle by itself. */
  readonly name: string;
  readonly root: PickleNode;
  /** The nodes of the tree that rows of the table stand for: node k is row `firstTensor + k`. */
  readonly tensors?: readonly PickleNode[];
  readonly firstTensor?: number;
}

/** The content of a file in which no tensor could be listed. */
export const noContent = (format: string, file: string, findings: FindingList): CheckpointContent => ({
  format,
  table: new TensorTable(new TensorTableBuilder([file]).finish()),
  totals: { parameters: 0, dtypes: [] },
  metadata: [],
  findings,
  claimedBytes: 0,
  missingBytes: 0,
});
