import type { Int, MetadataEntry } from '../../../shared/checkpoint-types.ts';
import { Utf8Texts } from '../../bytes/utf8-texts.ts';
import { narrow } from '../../checked-arithmetic.ts';
import { outOfFloat64 } from './number-range.ts';

/** A header that is not JSON as the reference reader accepts it: what was wrong, and at which byte of the text. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** A header that may be sound but holds more than this program reads: what, and at which byte of the text. */
export class HeaderLimitError extends JsonSyntaxError {}

/** A number token. `integer` is set for plain non-negative integers (no sign, point or exponent) up to 2^64 − 1. */
export interface NumberToken {
  readonly integer: Int | undefined;
  readonly text: string;
}

/** Levels of arrays and objects the reference reader (serde_json, recursion limit 128) accepts; measured, see test/oracle. */
export const MAX_NESTING = 127;

/**
 * Longest text taken out of a header, in bytes: no header that the reference reads holds a longer one, and the strings of
 * V8 end at 2^29.
 */
export const LONGEST_TEXT = 100_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;

/** Escapes gathered before they are joined: a string added to millions of times would be millions of objects. */
const MOST_PIECES = 4096;

/** Digits that always fit 2^53. */
const SAFE_DIGITS = 15;
const U64_MAX = (1n << 64n) - 1n;

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x22, '"'],
  [0x5c, '\\'],
  [0x2f, '/'],
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);

/**
 * A strict JSON reader over bytes, one step at a time: keys in order, duplicates seen, integers exact. `JSON.parse` loses
 * all three (FORMATS.md 1.3). The bytes must be valid UTF-8.
 *
 * Every method throws {@link JsonSyntaxError}.
 */
export class JsonCursor {
  readonly bytes: Uint8Array;
  at = 0;
  #depth = 0;
  /** Made when the first text is asked for: of a usual header that is never. */
  #texts: Utf8Texts | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Throws at the current byte. */
  fail(message: string): never {
    throw new JsonSyntaxError(message, this.at);
  }

  /**
   * The text of bytes `[start, end)`.
   *
   * @throws HeaderLimitError when it is longer than {@link LONGEST_TEXT}.
   */
  text(start: number, end: number): string {
    if (end - start > LONGEST_TEXT) {
      this.#failLimit(start);
    }
    this.#texts ??= new Utf8Texts(this.bytes);
    return this.#texts.text(start, end);
  }

  skipSpace(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        return;
      }
      this.at += 1;
    }
  }

  /** What kind of value begins at the next byte that is no space. Does not move past it. */
  peekType(): MetadataEntry['type'] {
    this.skipSpace();
    switch (this.bytes[this.at]) {
      case QUOTE:
        return 'string';
      case OPEN_BRACE:
        return 'object';
      case OPEN_BRACKET:
        return 'array';
      case 0x74:
      case 0x66:
        return 'boolean';
      case 0x6e:
        return 'null';
      case undefined:
        return this.fail('the text ends where a value was expected');
      default:
        return 'number';
    }
  }

  /**
   * Walks an object; `member` must consume the value.
   *
   * @param whole is asked at each key first: where it knows the whole member, it answers the byte after it.
   */
  object(
    member: (key: string, keyAt: number) => void,
    whole: (keyAt: number) => number | undefined = () => undefined,
  ): void {
    this.#open(OPEN_BRACE, '{');
    this.skipSpace();
    if (this.#take(CLOSE_BRACE)) {
      this.#depth -= 1;
      return;
    }
    do {
      this.skipSpace();
      const keyAt = this.at;
      const next = whole(keyAt);
      if (next === undefined) {
        const key = this.string();
        this.skipSpace();
        if (!this.#take(COLON)) {
          this.fail('expected ":" after a key');
        }
        member(key, keyAt);
      } else {
        this.at = next;
      }
      this.skipSpace();
    } while (this.#take(COMMA));
    if (!this.#take(CLOSE_BRACE)) {
      this.fail('expected "," or "}"');
    }
    this.#depth -= 1;
  }

  /** Walks an array; `item` must consume the value. */
  array(item: () => void): void {
    this.#open(OPEN_BRACKET, '[');
    this.skipSpace();
    if (this.#take(CLOSE_BRACKET)) {
      this.#depth -= 1;
      return;
    }
    do {
      item();
      this.skipSpace();
    } while (this.#take(COMMA));
    if (!this.#take(CLOSE_BRACKET)) {
      this.fail('expected "," or "]"');
    }
    this.#depth -= 1;
  }

  /** Reads a string, its escapes resolved. */
  string(): string {
    if (!this.#take(QUOTE)) {
      this.fail('expected a string');
    }
    const begin = this.at;
    let start = begin;
    let text = '';
    let pieces: string[] | undefined;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === QUOTE) {
        const last = this.text(start, this.at);
        this.at += 1;
        return pieces === undefined ? last : text + pieces.join('') + last;
      }
      if (byte === undefined) {
        this.fail('the text ends inside a string');
      } else if (byte === BACKSLASH) {
        pieces ??= [];
        pieces.push(this.text(start, this.at), this.#escape());
        start = this.at;
        if (pieces.length >= MOST_PIECES) {
          text += pieces.join('');
          pieces = [];
        }
        if (this.at - begin > LONGEST_TEXT) {
          this.#failLimit(begin);
        }
      } else if (byte < 0x20) {
        this.fail('a raw control character inside a string');
      } else {
        this.at += 1;
      }
    }
  }

  /** Reads a number by JSON's grammar. */
  number(): NumberToken {
    this.skipSpace();
    const start = this.at;
    let plain = !this.#take(MINUS);
    const digitsAt = this.at;
    this.#digits();
    if (this.bytes[digitsAt] === ZERO && this.at > digitsAt + 1) {
      this.at = digitsAt + 1;
      this.fail('a number with a leading zero');
    }
    const digits = this.at - digitsAt;
    if (this.#take(POINT)) {
      plain = false;
      this.#digits();
    }
    const exponent = this.bytes[this.at];
    if (exponent === 0x65 || exponent === 0x45) {
      plain = false;
      this.at += 1;
      const sign = this.bytes[this.at];
      this.at += sign === 0x2b || sign === MINUS ? 1 : 0;
      this.#digits();
    }
    if (!plain) {
      return { integer: undefined, text: this.text(start, this.at) };
    }
    if (digits <= SAFE_DIGITS) {
      return { integer: this.#smallInteger(start), text: '' };
    }
    const text = this.text(start, this.at);
    // 20 digits hold every u64; a longer token is not worth a bigint of its length.
    const value = digits <= 20 ? BigInt(text) : U64_MAX + 1n;
    return { integer: value <= U64_MAX ? narrow(value) : undefined, text };
  }

  /** Passes over any value, checking it; returns its text range in bytes. */
  skipValue(): readonly [start: number, end: number] {
    const type = this.peekType();
    const start = this.at;
    if (type === 'string') {
      this.string();
    } else if (type === 'object') {
      this.object(() => this.skipValue());
    } else if (type === 'array') {
      this.array(() => this.skipValue());
    } else if (type === 'number') {
      if (outOfFloat64(this.number().text)) {
        this.at = start;
        this.fail('a number too large for a float64, which other readers refuse');
      }
    } else {
      this.#word();
    }
    return [start, this.at];
  }

  #failLimit(position: number): never {
    throw new HeaderLimitError('a text of over 100,000,000 bytes', position);
  }

  #open(byte: number, what: string): void {
    this.skipSpace();
    if (!this.#take(byte)) {
      this.fail(`expected "${what}"`);
    }
    this.#depth += 1;
    if (this.#depth > MAX_NESTING) {
      this.fail(`nested deeper than ${MAX_NESTING} levels`);
    }
  }

  #take(byte: number): boolean {
    if (this.bytes[this.at] !== byte) {
      return false;
    }
    this.at += 1;
    return true;
  }

  #digits(): void {
    const start = this.at;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === undefined || byte < ZERO || byte > NINE) {
        break;
      }
      this.at += 1;
    }
    if (this.at === start) {
      this.fail(this.bytes[this.at] === undefined ? 'the text ends inside a number' : 'expected a value');
    }
  }

  #smallInteger(start: number): number {
    let value = 0;
    for (let at = start; at < this.at; at += 1) {
      value = value * 10 + ((this.bytes[at] ?? ZERO) - ZERO);
    }
    return value;
  }

  #word(): void {
    const word = ['true', 'false', 'null'].find((candidate) =>
      Array.from(candidate).every((letter, index) => this.bytes[this.at + index] === letter.charCodeAt(0)),
    );
    if (word === undefined) {
      this.fail('expected a value');
    } else {
      this.at += word.length;
    }
  }

  #escape(): string {
    const start = this.at;
    const kind = this.bytes[start + 1];
    if (kind !== 0x75) {
      const plain = kind === undefined ? undefined : ESCAPES.get(kind);
      if (plain === undefined) {
        this.fail(kind === undefined ? 'the text ends inside a string' : 'an unknown escape in a string');
      } else {
        this.at = start + 2;
        return plain;
      }
    }
    const first = this.#hex4(start + 2);
    this.at = start + 6;
    if (first < 0xd800 || first > 0xdfff) {
      return String.fromCharCode(first);
    }
    const paired = this.bytes[this.at] === BACKSLASH && this.bytes[this.at + 1] === 0x75;
    const second = first <= 0xdbff && paired ? this.#hex4(this.at + 2) : 0;
    if (second < 0xdc00 || second > 0xdfff) {
      this.at = start;
      this.fail('a lone surrogate escape in a string');
    }
    this.at += 6;
    return String.fromCharCode(first, second);
  }

  #hex4(at: number): number {
    let value = 0;
    for (let k = 0; k < 4; k += 1) {
      const digit = Number.parseInt(String.fromCharCode(this.bytes[at + k] ?? 0), 16);
      if (Number.isNaN(digit)) {
        this.fail('expected four hexadecimal digits after \\u');
      }
      value = value * 16 + digit;
    }
    return value;
  }
}
