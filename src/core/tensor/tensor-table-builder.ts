import type { Int, TensorLayout } from '../../shared/checkpoint-types.ts';
import { utf8Text } from '../bytes/utf8.ts';
import {
  type GrowableF64,
  type GrowableU8,
  type GrowableU32,
  growableF64,
  growableU8,
  growableU32,
} from './growable.ts';
import { repeatedNames, type SameName } from './repeated-names.ts';
import type { StorageUse, StridedLayout } from './strided-layout.ts';
import { LAYOUTS, type TensorTableData } from './tensor-table.ts';

/** A row as a format reader found it, before the layout of the whole file has been judged. */
export interface NewRow {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly Int[];
  readonly count: Int | undefined;
  /** Absolute byte range; undefined when the file gives none that can be used. */
  readonly begin: number | undefined;
  readonly end: number | undefined;
  readonly layout: TensorLayout;
  readonly file: number;
  /** How its elements lie in a storage, unless they simply fill their range in order. */
  readonly strided?: StridedLayout | undefined;
  /** The storage it views, where the format has storages: the same object for rows of the same one. */
  readonly storage?: RowStorage | undefined;
}

/** A storage by its absolute bytes in its file. */
export interface RowStorage {
  readonly begin: number;
  readonly bytes: number;
}

const NOTHING = { rows: 0, names: 0 };
const CONTIGUOUS = LAYOUTS.indexOf('contiguous');

/** Writes a name of ASCII alone, which spares a call of the encoder; undefined when there is more in it. */
const writeAscii = (name: string, room: Uint8Array): number | undefined => {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if (code >= 0x80) {
      return undefined;
    }
    room[index] = code;
  }
  return name.length;
};

/** Collects rows into columns, then yields {@link TensorTableData}. */
export class TensorTableBuilder {
  readonly #encoder = new TextEncoder();
  readonly #names: GrowableU8;
  readonly #nameEnds: GrowableU32;
  readonly #dtypeCodes = new Map<string, number>();
  readonly #dtypes: GrowableU32;
  readonly #dims: GrowableF64;
  readonly #dimEnds: GrowableU32;
  readonly #bigDims = new Map<number, bigint>();
  readonly #counts: GrowableF64;
  readonly #bigCounts = new Map<number, bigint>();
  readonly begins: GrowableF64;
  readonly ends: GrowableF64;
  readonly #fileOf: GrowableU32;
  readonly #layouts: GrowableU8;
  readonly #strided = new Map<number, StridedLayout>();
  readonly #storages = new Map<RowStorage, number[]>();
  readonly present: GrowableU8;
  readonly #problems = new Map<number, string>();
  readonly #files: readonly string[];

  /** @param expected how many rows there will probably be, and how many bytes of names. */
  constructor(files: readonly string[], expected: { readonly rows: number; readonly names: number } = NOTHING) {
    this.#files = files;
    const { rows } = expected;
    this.#names = growableU8(expected.names);
    this.#nameEnds = growableU32(rows);
    this.#dtypes = growableU32(rows);
    this.#dims = growableF64(rows * 2);
    this.#dimEnds = growableU32(rows);
    this.#counts = growableF64(rows);
    this.begins = growableF64(rows);
    this.ends = growableF64(rows);
    this.#fileOf = growableU32(rows);
    this.#layouts = growableU8(rows);
    this.present = growableU8(rows);
  }

  get length(): number {
    return this.#nameEnds.length;
  }

  /** Adds a row, present and without a problem until {@link refuse} says otherwise; returns its id. */
  add(row: NewRow): number {
    const id = this.length;
    this.#addName(row.name);
    this.#dtypes.push(this.#dtypeCode(row.dtype));
    for (const dimension of row.shape) {
      if (typeof dimension === 'bigint') {
        this.#bigDims.set(this.#dims.length, dimension);
      }
      this.#dims.push(typeof dimension === 'bigint' ? Number.NaN : dimension);
    }
    this.#dimEnds.push(this.#dims.length);
    if (typeof row.count === 'bigint') {
      this.#bigCounts.set(id, row.count);
    }
    if (row.strided !== undefined) {
      this.#strided.set(id, row.strided);
    }
    if (row.storage !== undefined) {
      const rows = this.#storages.get(row.storage);
      if (rows === undefined) {
        this.#storages.set(row.storage, [id]);
      } else {
        rows.push(id);
      }
    }
    const count = typeof row.count === 'number' ? row.count : Number.NaN;
    this.#place(count, row.begin ?? Number.NaN, row.end ?? Number.NaN, LAYOUTS.indexOf(row.layout), row.file);
    return id;
  }

  /**
   * Adds a contiguous row of the first file in which everything is sound, without making a string or an object of it.
   *
   * @param name valid UTF-8; copied, as the dimensions are.
   */
  addSound(name: Uint8Array, dtype: string, dims: Float64Array, count: number, begin: number, end: number): void {
    this.#names.appendAll(name);
    this.#nameEnds.push(this.#names.length);
    this.#dtypes.push(this.#dtypeCode(dtype));
    this.#dims.appendAll(dims);
    this.#dimEnds.push(this.#dims.length);
    this.#place(count, begin, end, CONTIGUOUS, 0);
  }

  #place(count: number, begin: number, end: number, layout: number, file: number): void {
    this.#counts.push(count);
    this.begins.push(begin);
    this.ends.push(end);
    this.#fileOf.push(file);
    this.#layouts.push(layout);
    this.present.push(1);
  }

  /** Says that the row's values cannot be decoded, and why; the first reason stays. */
  refuse(id: number, reason: string, bytes: 'present' | 'absent'): void {
    if (!this.#problems.has(id)) {
      this.#problems.set(id, reason);
    }
    if (bytes === 'absent') {
      this.present.set(id, 0);
    }
  }

  isRefused(id: number): boolean {
    return this.#problems.has(id);
  }

  /** The name of a row added before. */
  name(id: number): string {
    return this.#names.read((bytes) =>
      utf8Text(bytes, id === 0 ? 0 : this.#nameEnds.get(id - 1), this.#nameEnds.get(id)),
    );
  }

  /** Rows that have their name in common with others. */
  sameNames(): readonly SameName[] {
    return this.#names.read((names) => this.#nameEnds.read((ends) => repeatedNames(names, ends)));
  }

  finish(): TensorTableData {
    return {
      names: this.#names.finish(),
      nameEnds: this.#nameEnds.finish(),
      dtypeTexts: [...this.#dtypeCodes.keys()],
      dtypes: this.#dtypes.finish(),
      dims: this.#dims.finish(),
      dimEnds: this.#dimEnds.finish(),
      bigDims: this.#bigDims,
      counts: this.#counts.finish(),
      bigCounts: this.#bigCounts,
      begins: this.begins.finish(),
      ends: this.ends.finish(),
      fileOf: this.#fileOf.finish(),
      files: this.#files,
      layouts: this.#layouts.finish(),
      strided: this.#strided,
      storages: this.#storageUses(),
      present: this.present.finish(),
      problems: this.#problems,
    };
  }

  /** Storages of the rows that share one, or do not fill theirs. */
  #storageUses(): Map<number, StorageUse> {
    const uses = new Map<number, StorageUse>();
    for (const [{ begin, bytes }, ids] of this.#storages) {
      const use: StorageUse = { begin, end: begin + bytes, tensors: ids.length };
      for (const id of ids) {
        if (ids.length > 1 || this.begins.get(id) !== use.begin || this.ends.get(id) !== use.end) {
          uses.set(id, use);
        }
      }
    }
    return uses;
  }

  #addName(name: string): void {
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    this.#names.append(
      name.length * 3,
      (room) => writeAscii(name, room) ?? this.#encoder.encodeInto(name, room).written,
    );
    this.#nameEnds.push(this.#names.length);
  }

  #dtypeCode(dtype: string): number {
    const known = this.#dtypeCodes.get(dtype);
    if (known !== undefined) {
      return known;
    }
    const code = this.#dtypeCodes.size;
    this.#dtypeCodes.set(dtype, code);
    return code;
  }
}
