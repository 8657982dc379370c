import { utf8Text } from '../../bytes/utf8.ts';

/** A power of two. */
const SLOTS = 256;

/** Texts of at most this many bytes are worth sharing: field names and dtypes, which a header repeats by the thousand. */
export const LONGEST_SHARED = 16;

/** Short ASCII texts out of one header, so that each is made once. */
export class SharedTexts {
  readonly #texts = new Array<string | undefined>(SLOTS);

  /** The text of the `length` UTF-8 bytes at `start`, at most {@link LONGEST_SHARED}. */
  get(bytes: Uint8Array, start: number, length: number): string {
    const first = bytes[start] ?? 0;
    const last = bytes[start + length - 1] ?? 0;
    const slot = (length * 31 + first * 7 + last) & (SLOTS - 1);
    const known = this.#texts[slot];
    if (known !== undefined && known.length === length && standsAt(known, bytes, start)) {
      return known;
    }
    const text = utf8Text(bytes, start, start + length);
    this.#texts[slot] = text;
    return text;
  }
}

/** Whether an ASCII text stands at `start`; a text that is not ASCII never does. */
const standsAt = (text: string, bytes: Uint8Array, start: number): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const byte = bytes[start + index] ?? 0x80;
    if (byte >= 0x80 || text.charCodeAt(index) !== byte) {
      return false;
    }
  }
  return true;
};
