import { LONGEST_DECODED, utf8Text } from './utf8.ts';

/** Texts of at most this many bytes are kept for when they come again, as field names and dtypes do by the thousand. */
const LONGEST_SHARED = 16;
/** A power of two. */
const SLOTS = 256;

/**
 * Many short texts out of the same valid UTF-8 bytes. Where all of them are ASCII, the usual case, they are decoded once and
 * a text is a slice of that, or one given out before, which costs next to nothing.
 */
export class Utf8Texts {
  readonly #bytes: Uint8Array;
  readonly #ascii: string | undefined;
  readonly #shared = new Array<string | undefined>(SLOTS);

  /** @throws TypeError when the bytes (up to 256 MiB of them) are not valid UTF-8. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const whole = bytes.length <= LONGEST_DECODED ? utf8Text(bytes, 0, bytes.length) : undefined;
    // Every character beyond ASCII takes more bytes than UTF-16 units.
    this.#ascii = whole?.length === bytes.length ? whole : undefined;
  }

  /** The text of bytes `[start, end)`, which begin and end at whole characters. */
  text(start: number, end: number): string {
    if (this.#ascii === undefined) {
      return utf8Text(this.#bytes, start, end);
    }
    return end - start > LONGEST_SHARED ? this.#ascii.slice(start, end) : this.#sharedText(this.#ascii, start, end);
  }

  #sharedText(ascii: string, start: number, end: number): string {
    const first = this.#bytes[start] ?? 0;
    const last = this.#bytes[end - 1] ?? 0;
    const slot = ((end - start) * 31 + first * 7 + last) & (SLOTS - 1);
    const known = this.#shared[slot];
    if (known !== undefined && known.length === end - start && ascii.startsWith(known, start)) {
      return known;
    }
    const text = ascii.slice(start, end);
    this.#shared[slot] = text;
    return text;
  }
}
