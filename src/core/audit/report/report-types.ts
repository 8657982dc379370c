import type { CheckpointSummary, TensorStats } from '../../../shared/checkpoint-types.ts';
import type { Finding } from '../../../shared/findings.ts';
import type { SeriesPoint } from '../../../shared/layer-series.ts';
import type { FolderStats } from '../../scan/folder-fold.ts';

/** One statistic of a role over the depth of the model. */
export interface RoleProfile {
  /** As `LayerRole.label`, raw text. */
  readonly label: string;
  readonly pattern: string;
  readonly parameters: number;
  /** Root mean square, a point a layer. */
  readonly points: readonly SeriesPoint[];
  /** Layers that the audit found far from the others. */
  readonly outliers: readonly number[];
}

/** A file whose SHA-256 was compared. */
export interface ReportedHash {
  readonly path: string;
  readonly sha256: string;
  readonly expected: string;
  /** Where the expected one was taken from. */
  readonly from: string;
}

/** A tensor that the findings on values are about. */
export interface OddTensor {
  readonly stats: TensorStats;
  readonly shape: string;
  /** Codes of what was found about it. */
  readonly codes: readonly string[];
}

/** All that a report says; plain data. Text from files in it is raw. */
export interface AuditReport {
  /** Name and version of the program. */
  readonly program: string;
  /** When the report was made, ISO 8601. */
  readonly created: string;
  /** The path as it was given. */
  readonly path: string;
  readonly summary: CheckpointSummary;
  readonly findings: readonly Finding[];
  readonly hashes: readonly ReportedHash[];
  /** Figures of the whole model first, then of its folders, each after the one it lies in. */
  readonly folders: readonly (FolderStats & { readonly depth: number })[];
  /** By descending parameters. */
  readonly profiles: readonly RoleProfile[];
  readonly odd: readonly OddTensor[];
  /** Statistics of every tensor that could be scanned, by id. */
  readonly tensors: readonly TensorStats[];
}
