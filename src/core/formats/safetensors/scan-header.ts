import type { Int, MetadataEntry } from '../../../shared/checkpoint-types.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { HeaderLimitError, JsonCursor } from './json-cursor.ts';
import { MOST_DIMENSIONS, MOST_ENTRIES } from './limits.ts';

/** The key that holds metadata instead of a tensor. */
export const METADATA_KEY = '__metadata__';

const FIELDS = ['dtype', 'shape', 'data_offsets'] as const;
type Field = (typeof FIELDS)[number];

/** Something wrong with one field of an entry, and the byte of the header text it stands at. */
export interface EntryFault {
  readonly code: 'field-missing' | 'field-invalid' | 'duplicate-key';
  readonly message: string;
  readonly at: number;
}

/** One tensor entry as the header spells it; fields that could not be used are undefined and have a fault. */
export interface ScannedEntry {
  readonly name: string;
  /** Byte of the header text where its name begins. */
  readonly at: number;
  readonly dtype: string | undefined;
  readonly shape: readonly Int[] | undefined;
  readonly offsets: readonly [begin: Int, end: Int] | undefined;
  readonly faults: readonly EntryFault[];
}

/** What a header holds besides its tensors. */
export interface ScannedMetadata {
  readonly entries: readonly MetadataEntry[];
  /** Metadata keys that occur more than once, and where the later one stands. */
  readonly duplicates: readonly { readonly key: string; readonly at: number }[];
  /** Set when `__metadata__` is neither an object nor null: its JSON type. */
  readonly notObject: MetadataEntry['type'] | undefined;
  readonly at: number;
}

export interface HeaderSink {
  /**
   * Is asked first whether it can take the member whose key stands at `at` by itself (see UsualEntries): the byte after it,
   * or undefined, and then nothing happened.
   */
  usual?(at: number): number | undefined;
  entry(entry: ScannedEntry): void;
  /** Called for every `__metadata__` that is no tensor entry; more than once in a damaged header. */
  metadata(metadata: ScannedMetadata): void;
}

const NO_FAULTS: readonly EntryFault[] = [];

const shown = (cursor: JsonCursor, [start, end]: readonly [number, number]): string => {
  const LONGEST = 60;
  // Cutting at a byte could split a character, so the cut text is decoded leniently.
  const text = new TextDecoder().decode(cursor.bytes.subarray(start, Math.min(end, start + LONGEST)));
  return end - start > LONGEST ? `${text}…` : text;
};

/** An array of at most `most` plain integers; undefined when it holds anything else, or more of them. */
const scanIntegers = (cursor: JsonCursor, most: number): Int[] | undefined => {
  const integers: Int[] = [];
  let sound = true;
  cursor.array(() => {
    if (cursor.peekType() === 'number') {
      const { integer } = cursor.number();
      if (integer !== undefined && integers.length < most) {
        integers.push(integer);
        return;
      }
    } else {
      cursor.skipValue();
    }
    sound = false;
  });
  return sound ? integers : undefined;
};

class EntryScan {
  dtype: string | undefined;
  shape: readonly Int[] | undefined;
  offsets: readonly [Int, Int] | undefined;
  #faults: EntryFault[] | undefined;
  readonly #times: Record<Field, number> = { dtype: 0, shape: 0, data_offsets: 0 };
  readonly #cursor: JsonCursor;

  constructor(cursor: JsonCursor) {
    this.#cursor = cursor;
  }

  scan(name: string, at: number): ScannedEntry {
    if (this.#cursor.peekType() === 'object') {
      this.#cursor.object((key, keyAt) => this.#member(key, keyAt));
      for (const field of FIELDS) {
        if (this.#times[field] === 0) {
          this.#fault('field-missing', `its entry has no "${field}"`, at);
        }
      }
    } else {
      const range = this.#cursor.skipValue();
      this.#fault('field-invalid', `its entry is not an object but ${shown(this.#cursor, range)}`, at);
    }
    const { dtype, shape, offsets } = this;
    return { name, at, dtype, shape, offsets, faults: this.#faults ?? NO_FAULTS };
  }

  #member(key: string, keyAt: number): void {
    if (key !== 'dtype' && key !== 'shape' && key !== 'data_offsets') {
      this.#cursor.skipValue();
      return;
    }
    this.#times[key] += 1;
    if (this.#times[key] > 1) {
      // Told once, however often it comes again: each fault carries the tensor's name along.
      if (this.#times[key] === 2) {
        this.#fault('duplicate-key', `its entry has "${key}" twice`, keyAt);
      }
      this.#cursor.skipValue();
      return;
    }
    this.#cursor.skipSpace();
    const start = this.#cursor.at;
    if (!this.#readField(key)) {
      const text = shown(this.#cursor, [start, this.#cursor.at]);
      this.#fault('field-invalid', `"${key}" is ${text}, expected ${EXPECTED[key]}`, start);
    }
  }

  #readField(key: Field): boolean {
    const type = this.#cursor.peekType();
    if (key === 'dtype') {
      if (type === 'string') {
        this.dtype = this.#cursor.string();
        return true;
      }
      this.#cursor.skipValue();
      return false;
    }
    if (type !== 'array') {
      this.#cursor.skipValue();
      return false;
    }
    const integers = scanIntegers(this.#cursor, key === 'shape' ? MOST_DIMENSIONS : 2);
    if (key === 'shape') {
      this.shape = integers;
      return integers !== undefined;
    }
    const [begin, end] = integers ?? [];
    if (begin === undefined || end === undefined || integers?.length !== 2) {
      return false;
    }
    this.offsets = [begin, end];
    return true;
  }

  #fault(code: EntryFault['code'], message: string, at: number): void {
    this.#faults ??= [];
    this.#faults.push({ code, message, at });
  }
}

const EXPECTED: Readonly<Record<Field, string>> = {
  dtype: 'a string',
  shape: `an array of at most ${formatInt(MOST_DIMENSIONS)} plain non-negative integers`,
  data_offsets: 'two plain non-negative integers',
};

const failEntries = (what: string, position: number): never => {
  throw new HeaderLimitError(`more than ${formatInt(MOST_ENTRIES)} ${what}`, position);
};

const scanMetadata = (cursor: JsonCursor, at: number): ScannedMetadata => {
  const type = cursor.peekType();
  if (type !== 'object') {
    const text = type === 'string' ? cursor.string() : undefined;
    const value = text ?? cursor.text(...cursor.skipValue());
    const absent = type === 'null';
    return {
      entries: absent ? [] : [{ key: METADATA_KEY, type, value }],
      duplicates: [],
      notObject: absent ? undefined : type,
      at,
    };
  }
  const entries: MetadataEntry[] = [];
  const keys = new Set<string>();
  const duplicates: { key: string; at: number }[] = [];
  cursor.object((key, keyAt) => {
    if (entries.length >= MOST_ENTRIES) {
      failEntries('metadata entries', keyAt);
    }
    if (keys.has(key)) {
      duplicates.push({ key, at: keyAt });
    }
    keys.add(key);
    const valueType = cursor.peekType();
    if (valueType === 'string') {
      entries.push({ key, type: valueType, value: cursor.string() });
    } else {
      const [start, end] = cursor.skipValue();
      entries.push({ key, type: valueType, value: cursor.text(start, end) });
    }
  });
  return { entries, duplicates, notObject: undefined, at };
};

/** Whether metadata has the three fields of a tensor entry with the right JSON types: then it is one, badly named. */
const looksLikeTensor = ({ entries }: ScannedMetadata): boolean => {
  const type = (key: Field): string | undefined => entries.find((entry) => entry.key === key)?.type;
  return type('dtype') === 'string' && type('shape') === 'array' && type('data_offsets') === 'array';
};

/**
 * Reads a safetensors header text from front to back, telling `sink` of each entry in file order.
 *
 * @param bytes the header text, valid UTF-8.
 * @returns false when the top level is not an object (nothing was told then).
 * @throws JsonSyntaxError when the text is not JSON as the reference reader accepts it, HeaderLimitError when it holds more
 *   than this program reads. What was told before stands.
 */
export const scanHeader = (bytes: Uint8Array, sink: HeaderSink): boolean => {
  const cursor = new JsonCursor(bytes);
  const isObject = cursor.peekType() === 'object';
  let tensors = 0;
  const countTensor = (at: number): void => {
    if (tensors === MOST_ENTRIES) {
      failEntries('tensors', at);
    }
    tensors += 1;
  };
  const member = (key: string, at: number): void => {
    if (key === METADATA_KEY) {
      const valueAt = cursor.at;
      const metadata = scanMetadata(cursor, at);
      if (!looksLikeTensor(metadata)) {
        sink.metadata(metadata);
        return;
      }
      cursor.at = valueAt;
    }
    countTensor(at);
    sink.entry(new EntryScan(cursor).scan(key, at));
  };
  const usual = (at: number): number | undefined => {
    const next = sink.usual?.(at);
    if (next !== undefined) {
      countTensor(at);
    }
    return next;
  };
  if (isObject) {
    cursor.object(member, usual);
  } else {
    cursor.skipValue();
  }
  cursor.skipSpace();
  if (cursor.at < bytes.length) {
    // A known writer once produced this for a file without tensors (FORMATS.md 1.7).
    const known = new TextDecoder().decode(bytes.subarray(cursor.at, cursor.at + 16)).startsWith(',"__metadata__"');
    cursor.fail(
      known
        ? 'the object ends before "__metadata__", a known fault of old writers when there are no tensors'
        : 'more text after the end of the object',
    );
  }
  return isObject;
};
