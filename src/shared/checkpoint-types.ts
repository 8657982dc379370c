import type { FindingCounts, Verdict } from './findings.ts';

/** An integer out of a file: a number while it is exact (up to 2^53 − 1), a bigint beyond. */
export type Int = number | bigint;

/** How a tensor's elements lie in its file. `absent`: listed, but its bytes are not there. */
export type TensorLayout = 'contiguous' | 'strided' | 'blocks' | 'absent';

/** What stored integers q stand for: (q − zero point) · scale, with one of each, or one for each index of a dimension. */
export type QuantisedRow =
  | { readonly scheme: 'tensor'; readonly scale: number; readonly zeroPoint: number }
  | { readonly scheme: 'channels' | 'float-channels'; readonly axis: number };

/** One row of the tensor list. */
export interface TensorRow {
  /** Unique within the checkpoint, in file order from 0; names need not be unique in a damaged file. */
  readonly id: number;
  readonly name: string;
  /** As the file spells it; may be a dtype this program does not know. */
  readonly dtype: string;
  /** Logical element counts per dimension, outermost first; `[]` is a scalar. */
  readonly shape: readonly Int[];
  /** Product of the shape; undefined when the shape is unusable or overflows 64 bits. */
  readonly parameters: Int | undefined;
  /** Bytes the file claims for it; undefined when its range is unusable. */
  readonly bytes: number | undefined;
  /** Base name of the file that holds it. */
  readonly file: string;
  /** Absolute byte offset of its first byte; undefined when its range is unusable or lies compressed inside the file. */
  readonly offset: number | undefined;
  readonly layout: TensorLayout;
  /** Of a quantised tensor: what its integers stand for. Its values are float32. */
  readonly quantised?: QuantisedRow;
  /** Whether its values can be decoded; if not, `problem` says why. */
  readonly readable: boolean;
  readonly problem?: string;
  /** How it views a storage that it does not have for itself, or does not simply fill. */
  readonly view?: TensorView;
}

/** A tensor as a view of a storage (PyTorch). */
export interface TensorView {
  /** In elements, one a dimension; 0 repeats the same elements. */
  readonly strides: readonly number[];
  /** Bytes from the storage's first to the tensor's first element. */
  readonly offset: number;
  readonly storage: {
    /** Absolute byte in the file; undefined where it lies compressed inside the file. */
    readonly offset: number | undefined;
    readonly bytes: number;
    /** Tensors that view it, this one included. */
    readonly tensors: number;
  };
  /** The stored numbers are big-endian. */
  readonly bigEndian?: true;
  /** Its values are the stored ones negated, or their complex conjugates. */
  readonly negated?: true;
  readonly conjugated?: true;
}

/** What one dtype contributes to a checkpoint. */
export interface DtypeShare {
  readonly dtype: string;
  readonly tensors: number;
  readonly parameters: Int;
  readonly bytes: number;
}

/** One metadata entry, in file order. Values that are no strings keep their JSON text. */
export interface MetadataEntry {
  readonly key: string;
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  /** The string itself, or the JSON text of any other value. */
  readonly value: string;
}

/** A file of code inside a checkpoint, which is never read or run here. */
export interface CodeFile {
  /** Its path inside the archive. */
  readonly name: string;
  readonly bytes: number;
}

/** One file of a sharded model. */
export interface ShardEntry {
  /** Absolute path; of a shard that is not there, its name as the index spells it. */
  readonly path: string;
  readonly bytes: number;
  /** Tensors in it; of a shard that is not there, those the index promises. */
  readonly tensors: number;
  readonly present: boolean;
}

/** What `info` prints and the header strip shows. */
export interface CheckpointSummary {
  /** Format id, such as `safetensors`; `unrecognised` when it is no checkpoint. */
  readonly format: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Every shard of a sharded model, in order, missing ones included; empty for a single file. */
  readonly shards: readonly ShardEntry[];
  readonly tensors: number;
  readonly parameters: Int;
  /** Bytes claimed by at least one tensor, each counted once. */
  readonly dataBytes: number;
  /** By descending bytes. */
  readonly dtypes: readonly DtypeShare[];
  readonly metadata: readonly MetadataEntry[];
  /** Source files of a TorchScript archive, which a loader runs; none of other formats. */
  readonly code?: readonly CodeFile[];
  /** Pickles whose imports and calls can be listed, and value trees that can be looked at. */
  readonly pickles: number;
  readonly valueTrees: number;
  readonly findings: FindingCounts;
  readonly verdict: Verdict;
  /** The verdict as one sentence, such as "Damaged: 1 of 236 tensors cut off, 4,096 bytes missing". */
  readonly sentence: string;
}

/** Equal-width bins over [edges[0], edges[n]]; the last bin includes its upper edge, as numpy.histogram does. */
export interface Histogram {
  /** `counts.length + 1` ascending edges. */
  readonly edges: Float64Array;
  /** Elements per bin. */
  readonly counts: Float64Array;
  /** Finite elements below the first and above the last edge. */
  readonly below: number;
  readonly above: number;
  /** False when counts near a bin's edge may belong to its neighbour (32- and 64-bit dtypes). */
  readonly exact: boolean;
}

/** The quantiles every summary carries. */
export const QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const;

/**
 * Statistics over all elements of one tensor.
 *
 * C64 is summarised over its 2·n real and imaginary parts. `min … std` are over the finite elements and undefined when
 * there are none; `std` is the population's. 64-bit integers stay exact as bigint beyond 2^53.
 */
export interface TensorStats {
  readonly name: string;
  readonly dtype: string;
  /** Elements looked at. */
  readonly count: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  /** Both signs of zero. */
  readonly zeros: number;
  /** Of `zeros`, those with the sign bit set. */
  readonly negZeros: number;
  readonly subnormals: number;
  readonly min: Int | undefined;
  readonly max: Int | undefined;
  readonly mean: number | undefined;
  readonly std: number | undefined;
  /** One per {@link QUANTILES}, linear interpolation as numpy's default; undefined when there are no finite elements. */
  readonly quantiles: readonly number[] | undefined;
  /** Distinct values (−0 and +0 are one, all NaN are one); undefined for 32- and 64-bit dtypes. */
  readonly distinct: number | undefined;
  /** Whether quantiles and histogram are exact; if not, quantiles are within 2^-8 relative. */
  readonly exact: boolean;
  /** Over [min, max]; undefined when there are no finite elements. */
  readonly histogram: Histogram | undefined;
}

/** A rectangular window of values, row-major. */
export interface ValueWindow {
  /** Shape of the window; dimensions indexed by an integer are gone. */
  readonly shape: readonly number[];
  /** Exact text of each element. */
  readonly texts: readonly string[];
  /** Raw bits of each element as hexadecimal, most significant digit first. */
  readonly bits: readonly string[];
  /** Nearest f64 of each element (of C64, the real part), for colouring only. */
  readonly numbers: Float64Array;
}

/** File formats a tensor can be exported to; `raw` is its bytes as they lie in the file. */
export const EXPORT_FORMATS = ['f32', 'npy', 'csv', 'safetensors', 'raw'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What became of numbers that float32 cannot hold. */
export interface PrecisionLoss {
  /** Numbers written: elements, of complex dtypes twice as many. */
  readonly values: number;
  /** Finite numbers that became another number, those that became infinite included. */
  readonly inexact: number;
  /** Finite numbers that became infinite. */
  readonly overflowed: number;
}

/** What an export or a conversion wrote. */
export interface WrittenFile {
  /** The tensor's name; of a conversion, the file's base name. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
  /** Tensors in it, of a conversion. */
  readonly tensors?: number;
  /** Only where the dtype holds more than float32 and was written as float32. */
  readonly precision?: PrecisionLoss;
}
