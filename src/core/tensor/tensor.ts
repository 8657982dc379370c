import type { Int, TensorRow, TensorStats } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { ByteSource } from '../bytes/byte-source.ts';
import { readBytes, readInto } from '../bytes/checked-read.ts';
import { tensorDistribution } from '../distribution/tensor-distribution.ts';
import { decodeFloat32 } from '../dtypes/decode.ts';
import type { DtypeInfo } from '../dtypes/dtype-table.ts';
import { type ExactValue, elementValues } from '../dtypes/exact-values.ts';
import { storedOfQuantised } from '../dtypes/quantised-dtypes.ts';
import { requireDtype } from '../dtypes/require-dtype.ts';
import type { F6Order } from '../dtypes/sub-byte.ts';
import { SliceError, UnreadableTensorError } from '../errors.ts';
import { type ElementChunk, type ElementSpan, elementChunks } from './element-chunks.ts';
import { type NativeArray, nativeView } from './native-array.ts';
import { channelsOfRange, channelsOfSlice, dequantisedChunks, type Quantisation } from './quantisation.ts';
import { restoreValues } from './restore-values.ts';
import { parseSlice, pickedShape, pickSlice, rangeRuns, type SliceItem, sliceRuns } from './slice.ts';
import { rowMajorStrides, type StridedLayout } from './strided-layout.ts';
import type { TensorTable } from './tensor-table.ts';

/** A run of elements in row-major order. */
export interface ElementRange {
  readonly start: number;
  readonly count: number;
}

/** Part of a tensor to read: a slice per dimension, or a run of elements in row-major order; all of it when left out. */
export interface Selection {
  /** As on the command line (`"0,:,::2"`), or parsed. */
  readonly slice?: string | readonly SliceItem[] | undefined;
  /** First element and number of elements, row-major; not together with `slice`. */
  readonly range?: ElementRange | undefined;
  /** Bit order of F6 dtypes, which the format leaves undefined; without it they are not decoded. */
  readonly f6Order?: F6Order | undefined;
  /** Of a quantised tensor the integers as they are stored (see {@link Tensor.stored}), not what they stand for. */
  readonly stored?: boolean | undefined;
}

/** A selection that has met its tensor. */
export interface Selected {
  /** Shape of the result; a range of elements has one dimension. */
  readonly shape: readonly number[];
  readonly count: number;
  /** The elements, raw, in result order. With a `buffer` (see {@link ElementSpan}) large chunks share it. */
  readonly chunks: (buffer?: Uint8Array<ArrayBuffer>) => AsyncGenerator<ElementChunk>;
}

/** Where a tensor's elements lie. */
interface Place {
  readonly span: ElementSpan;
  /** In elements, a dimension each. */
  readonly strides: readonly number[];
  /** Place of the first element, counted from the span's begin. */
  readonly first: number;
}

/** Most bytes one call puts into memory: the default of FORMATS.md 8. Larger tensors stream. */
export const MATERIALISED_LIMIT = 2 * 1024 * 1024 * 1024;

const guardSize = (bytes: number, name: string): void => {
  if (bytes > MATERIALISED_LIMIT) {
    throw new LoupeError(
      'too-large',
      `"${name}" would take ${bytes} bytes at once: read a range, a slice or the stream`,
      {
        tensor: name,
        bytes,
        limit: MATERIALISED_LIMIT,
      },
    );
  }
};

const ownMemory = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);

/** All bytes of a selection of whole-byte elements. */
const gathered = async ({ chunks }: Selected, length: number): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const chunk of chunks()) {
    bytes.set(chunk.bytes, at);
    at += chunk.bytes.length;
  }
  return bytes;
};

/** One tensor of an open checkpoint. Reading it copies; nothing of the mapping is handed out. */
export class Tensor {
  readonly #table: TensorTable;
  readonly #source: ByteSource;
  readonly id: number;

  constructor(table: TensorTable, id: number, source: ByteSource) {
    table.checkId(id);
    this.#table = table;
    this.#source = source;
    this.id = id;
  }

  get name(): string {
    return this.#table.name(this.id);
  }

  /** Of its values: as the file spells it, such as `BF16`; of a quantised tensor, whose row says `QI8` or so, F32. */
  get dtype(): string {
    return this.quantised === undefined ? this.#table.dtype(this.id) : 'F32';
  }

  /** What its stored integers stand for; undefined for a tensor whose values are stored as they are. */
  get quantised(): Quantisation | undefined {
    return this.layout?.quantised;
  }

  /** What is known of the elements in the file: of a quantised tensor integers. @throws LoupeError `unknown-dtype` */
  get stored(): DtypeInfo {
    return (this.quantised && storedOfQuantised(this.quantised.dtype)) ?? this.info;
  }

  /** Logical element counts, outermost dimension first; `[]` is a scalar. */
  get shape(): readonly Int[] {
    return this.#table.shape(this.id);
  }

  /** How its elements lie in their storage; undefined when they simply fill their range in order. */
  get layout(): StridedLayout | undefined {
    return this.#table.strided(this.id);
  }

  /** Everything the tensor list shows. */
  get row(): TensorRow {
    return this.#table.row(this.id);
  }

  /** Whether the values can be decoded; `row.problem` says why not. */
  get readable(): boolean {
    return this.#table.problem(this.id) === undefined;
  }

  /** What is known of the values' dtype. @throws LoupeError `unknown-dtype` */
  get info(): DtypeInfo {
    return requireDtype(this.dtype);
  }

  /**
   * The tensor's bytes, little-endian and row-major: as they lie in the file, or gathered where it is a view. Those of a
   * quantised tensor are its integers.
   *
   * @throws UnreadableTensorError when they are not all there; LoupeError `too-large` over {@link MATERIALISED_LIMIT}.
   */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const [begin, end] = this.#range();
    guardSize(end - begin, this.name);
    if (this.#table.strided(this.id) === undefined) {
      return readBytes(this.#source, begin, end - begin);
    }
    return gathered(this.select({ stored: true }), end - begin);
  }

  /**
   * The tensor's bytes as {@link bytes} has them, in pieces; those of a plain tensor have `length` bytes but for the last.
   *
   * @param room where a plain tensor's pieces go; memory of their own when left out.
   * @throws UnreadableTensorError, FileChangedError, ClosedError.
   */
  async *rawPieces(length: number, room = ownMemory): AsyncGenerator<Uint8Array> {
    const [begin, end] = this.#range();
    if (this.#table.strided(this.id) !== undefined) {
      for await (const { bytes } of this.select({ stored: true }).chunks()) {
        yield bytes;
      }
      return;
    }
    for (let at = begin; at < end; at += length) {
      const bytes = room(Math.min(length, end - at));
      await readInto(this.#source, at, bytes);
      yield bytes;
    }
  }

  /**
   * Rows `[start, start + count)` of the outermost dimension in the tensor's own dtype (see {@link nativeView}): one copy
   * out of the file, viewed and not copied again. A scalar counts as one row.
   *
   * @throws UnreadableTensorError, SliceError; LoupeError `unsupported-rows` where rows share bytes, `too-large`.
   */
  async rows(start: number, count: number): Promise<{ readonly shape: readonly Int[]; readonly values: NativeArray }> {
    const [rows = 1, ...rest] = this.shape;
    const [begin, end] = this.#range();
    this.#checkDecodable(this.info.bits === 6 ? 'lsb' : undefined);
    if (
      !Number.isSafeInteger(start) ||
      !Number.isSafeInteger(count) ||
      start < 0 ||
      count < 0 ||
      start + count > rows
    ) {
      throw new SliceError(`rows ${start} to ${start + count} do not lie inside "${this.name}", which has ${rows}`);
    }
    const ownBytes = this.quantised === undefined ? end - begin : Number(this.#table.count(this.id)) * 4;
    const rowBytes = rows === 0 ? 0 : ownBytes / Number(rows);
    if (!Number.isInteger(rowBytes)) {
      throw new LoupeError('unsupported-rows', `rows of "${this.name}" share bytes: read a slice instead`);
    }
    guardSize(count * rowBytes, this.name);
    const bytes =
      this.#table.strided(this.id) === undefined
        ? await readBytes(this.#source, begin + start * rowBytes, count * rowBytes)
        : await gathered(this.select({ slice: [{ start, stop: start + count }] }), count * rowBytes);
    return { shape: [count, ...rest], values: nativeView(this.info, bytes) };
  }

  /**
   * Resolves a selection without reading.
   *
   * @throws UnreadableTensorError; SliceError when the selection does not fit the shape.
   */
  select(selection: Selection = {}): Selected {
    this.#checkDecodable(selection.f6Order);
    // The order is that of 6-bit dtypes alone: 4-bit ones have theirs.
    const place = this.#place(selection.f6Order === 'msb' && this.info.bits === 6);
    const { shape } = this;
    if (selection.range !== undefined) {
      return this.#selectRange(place, selection);
    }
    const { slice = [] } = selection;
    const picked = pickSlice(typeof slice === 'string' ? parseSlice(slice) : slice, shape);
    const chunks: Selected['chunks'] = (buffer) =>
      elementChunks({ ...place.span, buffer }, sliceRuns(picked, shape, place.strides, place.first));
    const quantised = selection.stored === true ? undefined : this.quantised;
    return {
      shape: pickedShape(picked),
      count: picked.reduce((product, { count }) => product * count, 1),
      chunks:
        quantised === undefined
          ? chunks
          : () => dequantisedChunks(quantised, channelsOfSlice(quantised, picked), chunks()),
    };
  }

  /**
   * The values as float32, row-major; C64 gives two numbers an element. Exact unless the dtype holds more than float32.
   *
   * @throws UnreadableTensorError, SliceError, LoupeError `too-large`, FileChangedError, ClosedError.
   */
  async toFloat32(part: Selection | ElementRange = {}): Promise<Float32Array<ArrayBuffer>> {
    const selection: Selection = 'start' in part ? { range: part } : part;
    const { count } = this.select(selection);
    const { components } = this.info;
    guardSize(count * components * Float32Array.BYTES_PER_ELEMENT, this.name);
    const values = new Float32Array(count * components);
    let done = 0;
    for await (const part of this.stream(selection)) {
      values.set(part, done);
      done += part.length;
    }
    return values;
  }

  /**
   * The values as float32 in pieces of bounded size, in row-major order.
   *
   * @throws as {@link toFloat32}, but for `too-large`.
   */
  async *stream(selection: Selection = {}): AsyncGenerator<Float32Array<ArrayBuffer>> {
    const { chunks } = this.select(selection);
    const { components } = this.info;
    const dtype = selection.stored === true ? this.stored.name : this.dtype;
    for await (const { bytes, firstElement, count } of chunks()) {
      const part = new Float32Array(count * components);
      decodeFloat32(dtype, bytes, count, part, { firstElement, f6Order: selection.f6Order });
      yield part;
    }
  }

  /**
   * Part of the values as float32, row-major, with its shape; dimensions given one index are gone from it.
   *
   * @param slice `start:stop:step` per dimension as numpy has it, such as `"0,:,::2"`.
   * @throws as {@link toFloat32}.
   */
  async slice(
    slice: string | readonly SliceItem[],
    options: Pick<Selection, 'f6Order'> = {},
  ): Promise<{ readonly shape: readonly number[]; readonly values: Float32Array<ArrayBuffer> }> {
    const selection: Selection = { ...options, slice };
    return { shape: this.select(selection).shape, values: await this.toFloat32(selection) };
  }

  /**
   * Statistics over all values (see {@link TensorStats}), computed in this thread in bounded memory.
   *
   * @param options.bins of the histogram over [min, max]; 128 when left out.
   * @throws UnreadableTensorError, FileChangedError, ClosedError; LoupeError `f6-bit-order`, `histogram-bins`.
   */
  async stats(options: { readonly bins?: number; readonly f6Order?: F6Order } = {}): Promise<TensorStats> {
    const distribution = await tensorDistribution(this, { f6Order: options.f6Order });
    return distribution.summarise(this.name, options.bins);
  }

  /**
   * The values exactly: 64-bit integers as bigint, C64 as pairs, BOOL as 0 and 1.
   *
   * @throws as {@link toFloat32}.
   */
  async exactValues(selection: Selection = {}): Promise<ExactValue[]> {
    const { chunks, count } = this.select(selection);
    guardSize(count * 16, this.name);
    const values: ExactValue[] = [];
    const dtype = selection.stored === true ? this.stored.name : this.dtype;
    for await (const chunk of chunks()) {
      const { firstElement } = chunk;
      const options = { firstElement, f6Order: selection.f6Order };
      for (const value of elementValues(dtype, chunk.bytes, chunk.count, options)) {
        values.push(value);
      }
    }
    return values;
  }

  /** Where the elements lie, and how they are laid out there. */
  #place(highestFirst: boolean): Place {
    const { source, info } = { source: this.#source, info: this.stored };
    const layout = this.#table.strided(this.id);
    if (layout === undefined) {
      const [begin] = this.#range();
      const strides = rowMajorStrides(this.shape.map(Number));
      return { span: { source, begin, bits: info.bits, highestFirst }, strides, first: 0 };
    }
    this.#range();
    const restore = (bytes: Uint8Array): void => restoreValues(bytes, info, layout);
    const span: ElementSpan = { source, begin: layout.storageBegin, bits: info.bits, highestFirst, restore };
    return { span, strides: layout.strides, first: layout.firstElement };
  }

  #selectRange({ span, strides, first }: Place, { range, slice, stored }: Selection): Selected {
    const { start, count } = range ?? { start: 0, count: 0 };
    const total = Number(this.#table.count(this.id));
    if (slice !== undefined) {
      throw new SliceError('give a slice or a range of elements, not both');
    }
    const sound = Number.isSafeInteger(start) && Number.isSafeInteger(count) && start >= 0 && count >= 0;
    if (!sound || start > total || count > total - start) {
      throw new SliceError(
        `elements ${start} to ${start + count} do not lie inside "${this.name}", which has ${total}`,
      );
    }
    const sizes = this.shape.map(Number);
    const chunks: Selected['chunks'] = (buffer) =>
      elementChunks({ ...span, buffer }, rangeRuns(sizes, strides, first, start, count));
    const quantised = stored === true ? undefined : this.quantised;
    return {
      shape: [count],
      count,
      chunks:
        quantised === undefined
          ? chunks
          : () => dequantisedChunks(quantised, channelsOfRange(quantised, sizes, start), chunks()),
    };
  }

  #range(): readonly [number, number] {
    const range = this.#table.range(this.id);
    if (range === undefined || !this.#table.isPresent(this.id)) {
      throw new UnreadableTensorError(this.name, this.#table.problem(this.id) ?? 'its bytes are not in the file');
    }
    return range;
  }

  #checkDecodable(f6Order: F6Order | undefined): void {
    const problem = this.#table.problem(this.id);
    const opened = f6Order !== undefined && this.dtype.startsWith('F6_') && this.#table.isPresent(this.id);
    if (problem !== undefined && !opened) {
      throw new UnreadableTensorError(this.name, problem);
    }
  }
}
