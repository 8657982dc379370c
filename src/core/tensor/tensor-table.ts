import type { Int, TensorLayout, TensorRow, TensorView } from '../../shared/checkpoint-types.ts';
import { Utf8Texts } from '../bytes/utf8-texts.ts';
import { TensorLookupError } from '../errors.ts';
import { quantisedRow } from './quantisation.ts';
import { rowMajorStrides, type StorageUse, type StridedLayout } from './strided-layout.ts';

/** Order fixes the codes stored in `TensorTableData.layouts`. */
export const LAYOUTS: readonly TensorLayout[] = ['contiguous', 'strided', 'blocks', 'absent'];

/**
 * The tensors of a checkpoint by columns, n rows. Plain data with transferable buffers: a table of a million tensors
 * crosses a thread without a million objects. Row ids are indexes, in file order.
 */
export interface TensorTableData {
  /** Names one after the other in UTF-8; row i ends at `nameEnds[i]`. */
  readonly names: Uint8Array<ArrayBuffer>;
  readonly nameEnds: Uint32Array<ArrayBuffer>;
  /** Distinct dtype texts as the file spells them, and each row's index into them. */
  readonly dtypeTexts: readonly string[];
  readonly dtypes: Uint32Array<ArrayBuffer>;
  /** Shapes one after the other; row i ends at `dimEnds[i]`. Dimensions beyond 2^53 are NaN here and in `bigDims`. */
  readonly dims: Float64Array<ArrayBuffer>;
  readonly dimEnds: Uint32Array<ArrayBuffer>;
  readonly bigDims: ReadonlyMap<number, bigint>;
  /** Element counts; NaN when unusable, or beyond 2^53 and then in `bigCounts`. */
  readonly counts: Float64Array<ArrayBuffer>;
  readonly bigCounts: ReadonlyMap<number, bigint>;
  /** Absolute byte range [begin, end); NaN when unusable. */
  readonly begins: Float64Array<ArrayBuffer>;
  readonly ends: Float64Array<ArrayBuffer>;
  /** Index into `files`. */
  readonly fileOf: Uint32Array<ArrayBuffer>;
  readonly files: readonly string[];
  /** Those of `files` that lie inside another, compressed for example: their offsets are none of a file on disk. */
  readonly inside?: ReadonlySet<number>;
  readonly layouts: Uint8Array<ArrayBuffer>;
  /** Rows whose elements do not simply lie one after the other in their range: their layout in the storage. */
  readonly strided: ReadonlyMap<number, StridedLayout>;
  /** The storages of rows that do not have one for themselves: views of a larger one, and those that share one. */
  readonly storages: ReadonlyMap<number, StorageUse>;
  /** Rows whose bytes are all there and unambiguous. */
  readonly present: Uint8Array<ArrayBuffer>;
  /** Rows whose values cannot be decoded, with the reason. */
  readonly problems: ReadonlyMap<number, string>;
}

/** Every buffer of a table, for a transfer list. */
export const tableBuffers = (data: TensorTableData): ArrayBuffer[] =>
  [
    data.names,
    data.nameEnds,
    data.dtypes,
    data.dims,
    data.dimEnds,
    data.counts,
    data.begins,
    data.ends,
    data.fileOf,
    data.layouts,
    data.present,
  ].map((column) => column.buffer);

/** Reads rows out of {@link TensorTableData}; nothing is decoded before it is asked for. */
export class TensorTable {
  readonly data: TensorTableData;
  #names: Utf8Texts | undefined;
  #byName: Map<string, number[]> | undefined;

  constructor(data: TensorTableData) {
    this.data = data;
  }

  get length(): number {
    return this.data.nameEnds.length;
  }

  /** @throws TensorLookupError `no-such-tensor` for an id outside the table. */
  checkId(id: number): void {
    if (!Number.isInteger(id) || id < 0 || id >= this.length) {
      throw new TensorLookupError('no-such-tensor', `there is no tensor with id ${id}`, { id });
    }
  }

  name(id: number): string {
    this.#names ??= new Utf8Texts(this.data.names);
    return this.#names.text(this.data.nameEnds[id - 1] ?? 0, this.data.nameEnds[id] ?? 0);
  }

  dtype(id: number): string {
    return this.data.dtypeTexts[this.data.dtypes[id] ?? -1] ?? '';
  }

  shape(id: number): Int[] {
    const { dims, dimEnds, bigDims } = this.data;
    const shape: Int[] = [];
    const end = dimEnds[id] ?? 0;
    for (let at = dimEnds[id - 1] ?? 0; at < end; at += 1) {
      const dimension = dims[at] ?? Number.NaN;
      shape.push(Number.isNaN(dimension) ? (bigDims.get(at) ?? dimension) : dimension);
    }
    return shape;
  }

  /** Elements; undefined when the shape is unusable or overflows 64 bits. */
  count(id: number): Int | undefined {
    const count = this.data.counts[id] ?? Number.NaN;
    return Number.isNaN(count) ? this.data.bigCounts.get(id) : count;
  }

  /** Absolute byte range [begin, end); undefined when the file gives none that can be used. */
  range(id: number): readonly [begin: number, end: number] | undefined {
    const begin = this.data.begins[id] ?? Number.NaN;
    const end = this.data.ends[id] ?? Number.NaN;
    return Number.isNaN(begin) || Number.isNaN(end) ? undefined : [begin, end];
  }

  /** How the row's elements lie in their storage; undefined when they simply fill their range in order. */
  strided(id: number): StridedLayout | undefined {
    return this.data.strided.get(id);
  }

  /** Whether every byte of the row's range is in the file and nothing about its entry is in doubt. */
  isPresent(id: number): boolean {
    return this.data.present[id] === 1;
  }

  /** Why the row's values cannot be decoded; undefined when they can. */
  problem(id: number): string | undefined {
    return this.data.problems.get(id);
  }

  /** One row of the list. @throws TensorLookupError */
  row(id: number): TensorRow {
    this.checkId(id);
    const range = this.range(id);
    const problem = this.problem(id);
    const quantised = this.strided(id)?.quantised;
    const inside = this.data.inside?.has(this.data.fileOf[id] ?? 0) === true;
    const row = {
      id,
      name: this.name(id),
      dtype: this.dtype(id),
      shape: this.shape(id),
      parameters: this.count(id),
      bytes: range === undefined ? undefined : Math.max(range[1] - range[0], 0),
      file: this.data.files[this.data.fileOf[id] ?? -1] ?? '',
      offset: inside ? undefined : range?.[0],
      layout: LAYOUTS[this.data.layouts[id] ?? 0] ?? 'contiguous',
      readable: problem === undefined,
      ...(quantised === undefined ? {} : { quantised: quantisedRow(quantised) }),
    };
    const view = this.#view(id, inside);
    return problem === undefined && view === undefined
      ? row
      : { ...row, ...(problem === undefined ? {} : { problem }), ...(view === undefined ? {} : { view }) };
  }

  /** How the row views its storage; undefined when it has one for itself and simply fills it. */
  #view(id: number, inside: boolean): TensorView | undefined {
    const strided = this.strided(id);
    const use = this.data.storages.get(id);
    const range = this.range(id);
    if (range === undefined || (strided === undefined && use === undefined)) {
      return undefined;
    }
    const begin = use?.begin ?? strided?.storageBegin ?? range[0];
    const end = use?.end ?? strided?.storageEnd ?? range[1];
    return {
      strides: strided?.strides ?? rowMajorStrides(this.shape(id).map(Number)),
      offset: range[0] - begin,
      storage: { offset: inside ? undefined : begin, bytes: end - begin, tensors: use?.tensors ?? 1 },
      ...(strided?.bigEndian === true ? { bigEndian: true } : {}),
      ...(strided?.negated === true ? { negated: true } : {}),
      ...(strided?.conjugated === true ? { conjugated: true } : {}),
    };
  }

  /** Rows `[start, start + count)`, fewer at the end. */
  rows(start = 0, count = this.length): TensorRow[] {
    const end = Math.min(start + count, this.length);
    return Array.from({ length: Math.max(end - start, 0) }, (_, index) => this.row(start + index));
  }

  /** Ids of all tensors with this exact name, in file order; empty when there is none. */
  idsOf(name: string): readonly number[] {
    if (this.#byName === undefined) {
      this.#byName = new Map();
      for (let id = 0; id < this.length; id += 1) {
        const own = this.name(id);
        const ids = this.#byName.get(own);
        if (ids === undefined) {
          this.#byName.set(own, [id]);
        } else {
          ids.push(id);
        }
      }
    }
    return this.#byName.get(name) ?? [];
  }

  /**
   * The id of the one tensor with this name.
   *
   * @throws TensorLookupError `no-such-tensor`, or `ambiguous-name` when a damaged file holds the name more than once.
   */
  idOf(name: string): number {
    const [id, ...others] = this.idsOf(name);
    if (id === undefined) {
      throw new TensorLookupError('no-such-tensor', `there is no tensor named "${name}"`, { name });
    }
    if (others.length > 0) {
      const ids = [id, ...others].join(', ');
      throw new TensorLookupError(
        'ambiguous-name',
        `the name "${name}" occurs more than once: name one by id (${ids})`,
        {
          name,
          ids,
        },
      );
    }
    return id;
  }
}

/** A table of one row of another, to send a single tensor to another thread. */
export const oneRow = ({ data }: TensorTable, id: number): TensorTableData => {
  const nameBegin = data.nameEnds[id - 1] ?? 0;
  const dimBegin = data.dimEnds[id - 1] ?? 0;
  const dims = data.dims.slice(dimBegin, data.dimEnds[id]);
  const bigDims = new Map(
    Array.from(dims, (_, index) => [index, data.bigDims.get(dimBegin + index)] as const).flatMap(([index, value]) =>
      value === undefined ? [] : [[index, value] as const],
    ),
  );
  const names = data.names.slice(nameBegin, data.nameEnds[id]);
  const bigCount = data.bigCounts.get(id);
  const problem = data.problems.get(id);
  const strided = data.strided.get(id);
  const storage = data.storages.get(id);
  return {
    names,
    nameEnds: Uint32Array.of(names.length),
    dtypeTexts: [data.dtypeTexts[data.dtypes[id] ?? 0] ?? ''],
    dtypes: Uint32Array.of(0),
    dims,
    dimEnds: Uint32Array.of(dims.length),
    bigDims,
    counts: data.counts.slice(id, id + 1),
    bigCounts: bigCount === undefined ? new Map() : new Map([[0, bigCount]]),
    begins: data.begins.slice(id, id + 1),
    ends: data.ends.slice(id, id + 1),
    fileOf: Uint32Array.of(0),
    files: [data.files[data.fileOf[id] ?? 0] ?? ''],
    inside: new Set(data.inside?.has(data.fileOf[id] ?? 0) === true ? [0] : []),
    layouts: data.layouts.slice(id, id + 1),
    strided: strided === undefined ? new Map() : new Map([[0, strided]]),
    storages: storage === undefined ? new Map() : new Map([[0, storage]]),
    present: data.present.slice(id, id + 1),
    problems: problem === undefined ? new Map() : new Map([[0, problem]]),
  };
};
