import { type DtypeInfo, SAFETENSORS_DTYPES } from '../../dtypes/dtype-table.ts';
import type { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import type { FileFrame } from './judge-entry.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const CLOSE_BRACKET = 0x5d;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
/** What stands between a name, a dtype, a shape and two offsets as the reference writes them (FORMATS.md 1.7). */
const TO_DTYPE = ascii('":{"dtype":"');
const TO_SHAPE = ascii('","shape":[');
const TO_OFFSETS = ascii('],"data_offsets":[');
const TO_END = ascii(']}');

/** Longer names take the general way, which has limits of its own. */
const LONGEST_NAME = 1000;
const LONGEST_DTYPE = 12;
/** Shapes of more dimensions take the general way. */
const MOST_DIMENSIONS = 16;
/** Integers of at most this many digits are exact in a double. */
const MOST_DIGITS = 15;

interface KnownDtype {
  readonly text: Uint8Array;
  readonly info: DtypeInfo;
}

/**
 * The short way for entries exactly as the reference writes them, in which there is nothing to report: straight from the
 * header's bytes into the table's columns, without a string or an object made. All but a few entries of real files are such;
 * any other takes the general way, which finds out what is wrong.
 */
export class UsualEntries {
  readonly #bytes: Uint8Array;
  readonly #dataStart: number;
  readonly #table: TensorTableBuilder;
  readonly #known: KnownDtype[] = [];
  readonly #dims = new Float64Array(MOST_DIMENSIONS);
  #at = 0;

  /** @param bytes the header text, valid UTF-8. */
  constructor(bytes: Uint8Array, { dataStart }: FileFrame, table: TensorTableBuilder) {
    this.#bytes = bytes;
    this.#dataStart = dataStart;
    this.#table = table;
  }

  /**
   * Takes the entry whose name's opening quote stands at `at`.
   *
   * @returns the byte after it; undefined when it is not of the usual form or not sound, and then nothing was added.
   */
  take(at: number): number | undefined {
    const nameEnd = this.#nameEnd(at);
    if (nameEnd === undefined) {
      return undefined;
    }
    this.#at = nameEnd;
    if (!this.#skip(TO_DTYPE)) {
      return undefined;
    }
    const info = this.#dtype();
    const dimensions = info === undefined || !this.#skip(TO_SHAPE) ? -1 : this.#shape();
    if (info === undefined || dimensions < 0 || !this.#skip(TO_OFFSETS)) {
      return undefined;
    }
    const begin = this.#integer();
    if (begin < 0 || this.#bytes[this.#at] !== COMMA) {
      return undefined;
    }
    this.#at += 1;
    const end = this.#integer();
    if (end < begin || !this.#skip(TO_END)) {
      return undefined;
    }
    const dims = this.#dims.subarray(0, dimensions);
    let count = 1;
    for (const dimension of dims) {
      count *= dimension;
      if (!Number.isSafeInteger(count)) {
        return undefined;
      }
    }
    const bits = count * info.bits;
    if (!Number.isSafeInteger(bits) || (end - begin) * 8 !== bits) {
      return undefined;
    }
    const name = this.#bytes.subarray(at + 1, nameEnd);
    this.#table.addSound(name, info.name, dims, count, this.#dataStart + begin, this.#dataStart + end);
    return this.#at;
  }

  /** The closing quote of a plain name that is not reserved. */
  #nameEnd(at: number): number | undefined {
    const bytes = this.#bytes;
    if (bytes[at] !== QUOTE || bytes[at + 1] === UNDERSCORE) {
      return undefined;
    }
    const last = Math.min(bytes.length, at + 1 + LONGEST_NAME);
    for (let index = at + 1; index < last; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte === QUOTE) {
        return index;
      }
      if (byte === BACKSLASH || byte < 0x20) {
        return undefined;
      }
    }
    return undefined;
  }

  #skip(expected: Uint8Array): boolean {
    for (let index = 0; index < expected.length; index += 1) {
      if (this.#bytes[this.#at + index] !== expected[index]) {
        return false;
      }
    }
    this.#at += expected.length;
    return true;
  }

  #dtype(): DtypeInfo | undefined {
    const start = this.#at;
    for (const { text, info } of this.#known) {
      if (this.#bytes[start + text.length] === QUOTE && this.#skip(text)) {
        return info;
      }
    }
    let end = start;
    while (end - start <= LONGEST_DTYPE && end < this.#bytes.length && this.#bytes[end] !== QUOTE) {
      end += 1;
    }
    const text = this.#bytes.slice(start, end);
    const info = SAFETENSORS_DTYPES.get(String.fromCharCode(...text));
    // The general way says why F6 is not decoded.
    if (info === undefined || info.name.startsWith('F6_')) {
      return undefined;
    }
    this.#known.push({ text, info });
    this.#at = end;
    return info;
  }

  /** Reads dimensions up to the closing bracket; how many there are, −1 when they are not of the usual form. */
  #shape(): number {
    if (this.#bytes[this.#at] === CLOSE_BRACKET) {
      return 0;
    }
    for (let dimensions = 0; dimensions < MOST_DIMENSIONS; ) {
      const dimension = this.#integer();
      if (dimension < 0) {
        return -1;
      }
      this.#dims[dimensions] = dimension;
      dimensions += 1;
      if (this.#bytes[this.#at] === CLOSE_BRACKET) {
        return dimensions;
      }
      if (this.#bytes[this.#at] !== COMMA) {
        return -1;
      }
      this.#at += 1;
    }
    return -1;
  }

  /** Reads a plain integer; −1 when there is none, or one with a leading zero or too many digits. */
  #integer(): number {
    const start = this.#at;
    let value = 0;
    let at = start;
    for (; ; at += 1) {
      const digit = (this.#bytes[at] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
    }
    const digits = at - start;
    if (digits === 0 || digits > MOST_DIGITS || (digits > 1 && this.#bytes[start] === ZERO)) {
      return -1;
    }
    this.#at = at;
    return value;
  }
}
