import type { DeadLines } from '../../core/audit/dead-lines.ts';
import type { LimitCounts } from '../../core/audit/limit-counts.ts';
import type { FirstNonFinite } from '../../core/audit/non-finite.ts';
import type { DistributionData } from '../../core/distribution/distribution.ts';
import type { ArchiveCheck } from '../../core/formats/pytorch/check-archive.ts';
import type { FileFrame } from '../../core/formats/safetensors/judge-entry.ts';
import type { ParsedHeader } from '../../core/formats/safetensors/parse-header.ts';
import type { ScanPiece } from '../../core/scan/plan-scan.ts';
import type { TensorTableData } from '../../core/tensor/tensor-table.ts';
import type { TensorStats, WrittenFile } from '../../shared/checkpoint-types.ts';
import { CancelledError, type ErrorDetails, LoupeError } from '../../shared/errors.ts';
import type { Finding } from '../../shared/findings.ts';
import type { CachedScan } from '../cache/cached-scan.ts';
import type { FileIdentity } from '../sources/regular-file.ts';
import type { ExportJob } from '../writing/export-tensor.ts';

/** A file that a worker opens again, and must find unchanged. */
export interface FileReference {
  readonly path: string;
  readonly identity: FileIdentity;
}

/** A whole tensor's statistics, as a worker returns them. */
export interface ScannedTensor {
  readonly kind: 'whole';
  readonly tensorId: number;
  readonly stats: TensorStats;
  /** Bytes of a BOOL tensor that are neither 0 nor 1. */
  readonly boolOutOfRange: number;
  /** Numbers at the limits of the dtype, where there are any. */
  readonly atLimit?: LimitCounts | undefined;
  /** Where the first NaN and the first infinity are; absent when there are none, or they could not be looked for. */
  readonly first?: FirstNonFinite | undefined;
  /** The distribution itself, when it was asked for. */
  readonly data: DistributionData | undefined;
}

/** A piece of a larger tensor: its distribution, to be merged with the others'. */
export interface ScannedPiece {
  readonly kind: 'piece';
  readonly tensorId: number;
  readonly data: DistributionData;
}

/** A piece that could not be scanned. */
export interface FailedPiece {
  readonly kind: 'failed';
  readonly tensorId: number;
  readonly error: TaskError;
}

export type PieceResult = ScannedTensor | ScannedPiece | FailedPiece;

interface OneTensorTask {
  readonly file: FileReference;
  /** The tensor as a table of one row. */
  readonly row: TensorTableData;
  readonly control: SharedArrayBuffer;
}

interface SummaryOptions {
  readonly bins: number;
  /** Return the distribution along with the statistics. */
  readonly keep: boolean;
}

/** What workers can be asked, and what each answers. */
export interface WorkerTasks {
  /** Scans pieces of one file, read through the worker's own mapping. */
  scan: {
    readonly task: SummaryOptions & {
      readonly file: FileReference;
      readonly pieces: readonly ScanPiece[];
      readonly control: SharedArrayBuffer;
    };
    readonly result: readonly PieceResult[];
  };
  /** Scans bytes that the service pulled from a source no worker can open. */
  scanBytes: {
    readonly task: { readonly piece: ScanPiece; readonly bytes: Uint8Array };
    readonly result: DistributionData;
  };
  /** Merges the pieces of one tensor and summarises them. */
  combine: {
    readonly task: SummaryOptions & {
      readonly tensorId: number;
      readonly name: string;
      readonly parts: readonly DistributionData[];
    };
    readonly result: ScannedTensor;
  };
  /** Finds the first NaN and the first infinity of one tensor, given as a table of one row. */
  locate: {
    readonly task: OneTensorTask & { readonly wanted: { readonly nan: boolean; readonly infinity: boolean } };
    readonly result: FirstNonFinite;
  };
  /** Finds the rows and columns of zeros of one tensor. */
  deadLines: { readonly task: OneTensorTask; readonly result: DeadLines };
  /** SHA-256 of one tensor's bytes in logical order, in hexadecimal. */
  hashTensor: { readonly task: OneTensorTask; readonly result: string };
  /** SHA-256 of a whole file, in hexadecimal. */
  hashFile: {
    readonly task: { readonly file: FileReference; readonly control: SharedArrayBuffer };
    readonly result: string;
  };
  /** Reads what an earlier scan of the files with this key found; undefined when there is nothing that can be read. */
  loadScan: {
    readonly task: { readonly folder: string; readonly key: string };
    readonly result: CachedScan | undefined;
  };
  /** Stores what a scan found. Answers whether it did: what is too large is not stored. */
  storeScan: {
    readonly task: { readonly folder: string; readonly key: string; readonly scan: CachedScan };
    readonly result: boolean;
  };
  /** Parses a header out of a file, or out of the bytes given. */
  parseHeader: {
    readonly task: {
      readonly from: { readonly file: FileReference; readonly offset: number; readonly length: number } | Uint8Array;
      readonly frame: FileFrame;
    };
    readonly result: ParsedHeader;
  };
  /** Reads members of an archive through and compares length and CRC. */
  checkArchive: {
    readonly task: Pick<ArchiveCheck, 'which' | 'share'> & {
      readonly file: FileReference;
      readonly control: SharedArrayBuffer;
    };
    readonly result: readonly Finding[];
  };
  /** Writes one tensor to a file. */
  export: {
    readonly task: { readonly file: FileReference; readonly job: ExportJob; readonly control: SharedArrayBuffer };
    readonly result: WrittenFile;
  };
}

export type WorkerTaskName = keyof WorkerTasks;

/** One task as it is posted. */
export interface TaskMessage<K extends WorkerTaskName = WorkerTaskName> {
  readonly name: K;
  readonly task: WorkerTasks[K]['task'];
}

/** An error in the form in which it crosses a thread: structured cloning would drop an Error's code. */
export interface TaskError {
  readonly code: string;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type TaskOutcome<R> =
  | { readonly ok: true; readonly result: R }
  | { readonly ok: false; readonly error: TaskError };

/** The result of a task. @throws LoupeError with the code the task failed with; CancelledError. */
export const resultOf = <R>(outcome: TaskOutcome<R>): R => {
  if (outcome.ok) {
    return outcome.result;
  }
  const { code, message, details } = outcome.error;
  throw code === 'cancelled' ? new CancelledError() : new LoupeError(code, message, details);
};
