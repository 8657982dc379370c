import type { ExportFormat, PrecisionLoss } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { AlternatingBuffers } from '../bytes/alternating-buffers.ts';
import { decodeWindow } from '../dtypes/decode.ts';
import { elementWindow } from '../dtypes/element-window.ts';
import { elementTexts } from '../dtypes/exact-text.ts';
import { buildHeader } from '../formats/safetensors/write-header.ts';
import type { ElementChunk } from '../tensor/element-chunks.ts';
import { CHUNK_BYTES } from '../tensor/plan-reads.ts';
import type { Selected, Selection, Tensor } from '../tensor/tensor.ts';
import { npyHeader, npyName } from './npy-header.ts';
import { PrecisionCounter } from './precision.ts';

/** How one tensor is written. */
export interface EncodeOptions extends Selection {
  readonly format: ExportFormat;
  /**
   * npy and safetensors: `native` keeps the tensor's dtype, `f32` converts. Left out, safetensors keeps it, and npy keeps
   * it where numpy has a name for it.
   */
  readonly dtype?: 'native' | 'f32' | undefined;
}

/** A tensor as the bytes of a file. */
export interface EncodedTensor {
  /** Bytes the file will have; undefined for text. */
  readonly bytes: number | undefined;
  /** What the reader of the file should know, such as a conversion that was not asked for. */
  readonly note: string | undefined;
  /** With `memory` a chunk stays as it is until the next but one is asked for; without, for good. */
  readonly chunks: (memory?: AlternatingBuffers) => AsyncGenerator<Uint8Array>;
  /** Once all chunks have been taken: what float32 could not hold; undefined where it holds every number of the dtype. */
  readonly precision: () => PrecisionLoss | undefined;
}

/** Bytes, and the count of what was lost on the way. */
type Encoding = Pick<EncodedTensor, 'chunks' | 'precision'>;

const unsupported = (message: string): LoupeError => new LoupeError('unsupported-export', message);

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Pieces of raw bytes of a contiguous tensor read at once. */
const RAW_PIECE = 1024 * 1024;

async function* rawChunks(
  tensor: Tensor,
  selection: Selection,
  memory: AlternatingBuffers | undefined,
): AsyncGenerator<Uint8Array> {
  if (isWhole(selection)) {
    yield* tensor.rawPieces(RAW_PIECE, memory === undefined ? undefined : (length) => memory.take(length));
    return;
  }
  for await (const { bytes } of tensor.select({ ...selection, stored: true }).chunks()) {
    yield bytes;
  }
}

async function* floatChunks(
  tensor: Tensor,
  selection: Selection,
  counter: PrecisionCounter | undefined,
  memory: AlternatingBuffers | undefined,
): AsyncGenerator<Uint8Array> {
  const { f6Order } = selection;
  const input = memory === undefined ? undefined : new Uint8Array(CHUNK_BYTES);
  for await (const { bytes, firstElement, count } of tensor.select(selection).chunks(input)) {
    const window = elementWindow(tensor.dtype, bytes, count, { firstElement, f6Order });
    const length = window.length * FLOAT_BYTES;
    const part = memory?.take(length) ?? new Uint8Array(length);
    counter?.add(window);
    decodeWindow(window, new Float32Array(part.buffer, part.byteOffset, window.length));
    yield part;
  }
}

/** The values as float32 behind `prefix`, with a count of what that loses. */
const floatEncoding = (tensor: Tensor, selection: Selection, prefix?: Uint8Array): Encoding => {
  let counter: PrecisionCounter | undefined;
  return {
    chunks: (memory) => {
      counter = PrecisionCounter.narrows(tensor.info.encoding) ? new PrecisionCounter() : undefined;
      const chunks = floatChunks(tensor, selection, counter, memory);
      return prefix === undefined ? chunks : prefixed(prefix, chunks);
    },
    precision: () => counter?.loss,
  };
};

/** The bytes as they are behind `prefix`. */
const rawEncoding = (tensor: Tensor, selection: Selection, prefix?: Uint8Array): Encoding => ({
  chunks: (memory) => {
    const chunks = rawChunks(tensor, selection, memory);
    return prefix === undefined ? chunks : prefixed(prefix, chunks);
  },
  precision: () => undefined,
});

async function* prefixed(prefix: Uint8Array, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield prefix;
  yield* chunks;
}

const isWhole = ({ slice, range }: Selection): boolean => slice === undefined && range === undefined;

/** Float32 shape: complex elements become a last dimension of 2. */
const floatShape = (tensor: Tensor, { shape }: Selected): number[] =>
  tensor.info.components === 2 ? [...shape, 2] : [...shape];

const product = (shape: readonly number[]): number => shape.reduce((total, size) => total * size, 1);

/** Shape and bytes of a selection kept in the tensor's own dtype. */
const nativeLayout = (tensor: Tensor, options: EncodeOptions): { shape: number[]; bytes: number } => {
  const { row, stored } = tensor;
  if (isWhole(options)) {
    // Of an empty tensor a dimension may be beyond 2^53, and must not be written rounded.
    if (row.shape.some((size) => typeof size === 'bigint')) {
      throw unsupported(
        `its shape [${row.shape.join(', ')}] has a dimension beyond 2^53; only raw bytes can be written`,
      );
    }
    return { shape: row.shape.map(Number), bytes: row.bytes ?? 0 };
  }
  if (stored.bits % 8 !== 0) {
    throw unsupported(`elements of ${stored.name} share bytes, so only the whole tensor can keep its dtype; use f32`);
  }
  const { shape, count } = tensor.select(options);
  return { shape: [...shape], bytes: (count * stored.bits) / 8 };
};

/** What the reader of a quantised tensor's integers must know. */
const integersNote = ({ quantised }: Tensor): string | undefined =>
  quantised === undefined
    ? undefined
    : `the integers of ${quantised.dtype} were written, not the values they stand for; --dtype f32 gives those`;

const asFloat32 = (tensor: Tensor, options: EncodeOptions): EncodedTensor => ({
  bytes: product(floatShape(tensor, tensor.select(options))) * FLOAT_BYTES,
  note: undefined,
  ...floatEncoding(tensor, options),
});

const asRaw = (tensor: Tensor, options: EncodeOptions): EncodedTensor => ({
  bytes: isWhole(options) ? (tensor.row.bytes ?? 0) : nativeLayout(tensor, options).bytes,
  note: integersNote(tensor),
  ...rawEncoding(tensor, options),
});

const asNpy = (tensor: Tensor, options: EncodeOptions): EncodedTensor => {
  const native = npyName(tensor.stored.name);
  if (options.dtype === 'native' && native === undefined) {
    throw unsupported(`npy has no name for ${tensor.stored.name}: export it as f32, or as raw bytes`);
  }
  if (native === undefined || options.dtype === 'f32') {
    const shape = floatShape(tensor, tensor.select(options));
    const header = npyHeader('<f4', shape);
    const asked = options.dtype === 'f32';
    return {
      bytes: header.byteLength + product(shape) * FLOAT_BYTES,
      note: asked ? undefined : `npy has no name for ${tensor.stored.name}: written as float32`,
      ...floatEncoding(tensor, options, header),
    };
  }
  const { shape, bytes } = nativeLayout(tensor, options);
  const header = npyHeader(native, shape);
  return {
    bytes: header.byteLength + bytes,
    note: integersNote(tensor),
    ...rawEncoding(tensor, options, header),
  };
};

const asSafetensors = (tensor: Tensor, options: EncodeOptions): EncodedTensor => {
  const float = options.dtype === 'f32';
  const shape = float ? floatShape(tensor, tensor.select(options)) : nativeLayout(tensor, options).shape;
  const bytes = float ? product(shape) * FLOAT_BYTES : nativeLayout(tensor, options).bytes;
  const { prefix } = buildHeader([{ name: tensor.name, dtype: float ? 'F32' : tensor.stored.name, shape, bytes }]);
  const encoding = float ? floatEncoding : rawEncoding;
  return {
    bytes: prefix.byteLength + bytes,
    note: float ? undefined : integersNote(tensor),
    ...encoding(tensor, options, prefix),
  };
};

/** Lines of one row of the last dimension each; a single dimension is one value a line. */
async function* csvChunks(tensor: Tensor, options: EncodeOptions): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const { shape, chunks } = tensor.select(options);
  const width = shape.length < 2 ? 1 : (shape.at(-1) ?? 1);
  let column = 0;
  for await (const chunk of chunks()) {
    let text = '';
    for (const value of textsOf(tensor, chunk, options)) {
      column += 1;
      text += column === width ? `${value}\n` : `${value},`;
      column %= width;
    }
    yield encoder.encode(text);
  }
}

const textsOf = (tensor: Tensor, { bytes, count, firstElement }: ElementChunk, options: EncodeOptions): string[] =>
  elementTexts(tensor.dtype, bytes, count, { firstElement, f6Order: options.f6Order });

const asCsv = (tensor: Tensor, options: EncodeOptions): EncodedTensor => {
  // Fails here rather than in the middle of a file.
  tensor.select(options);
  return { bytes: undefined, note: undefined, chunks: () => csvChunks(tensor, options), precision: () => undefined };
};

const ENCODERS: { readonly [F in ExportFormat]: (tensor: Tensor, options: EncodeOptions) => EncodedTensor } = {
  f32: asFloat32,
  npy: asNpy,
  csv: asCsv,
  safetensors: asSafetensors,
  raw: asRaw,
};

/** File extension of each export format, without the dot. */
export const EXPORT_EXTENSIONS: { readonly [F in ExportFormat]: string } = {
  f32: 'f32',
  npy: 'npy',
  csv: 'csv',
  safetensors: 'safetensors',
  raw: 'bin',
};

/**
 * Encodes a tensor as the bytes of a file, in row-major order, streamed in bounded memory.
 *
 * - `f32`: little-endian float32, nothing else. `npy`: numpy's format 1.0. `safetensors`: one tensor, its name kept.
 * - `csv`: exact texts; a line for each row of the last dimension. `raw`: the bytes as they lie in the file.
 *
 * @throws UnreadableTensorError, SliceError; LoupeError `unsupported-export` when the format cannot hold it.
 */
export const encodeTensor = (tensor: Tensor, options: EncodeOptions): EncodedTensor =>
  ENCODERS[options.format](tensor, options);
