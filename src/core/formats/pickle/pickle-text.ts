import { LONGEST_TEXT } from './limits.ts';
import { broken, overLimit } from './pickle-stop.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const CHUNK = 4096;
/** Below this many bytes a loop beats the platform's decoder. */
const SHORT = 24;

const fitLength = (length: number): void => {
  if (length > LONGEST_TEXT) {
    overLimit(`a text of ${length} bytes; at most ${LONGEST_TEXT} are read`);
  }
};

/** UTF-16 units as text, in pieces: arguments of one call are limited. */
const fromUnits = (units: readonly number[] | Uint8Array | Uint16Array): string => {
  let text = '';
  for (let at = 0; at < units.length; at += CHUNK) {
    text += String.fromCharCode(...units.slice(at, at + CHUNK));
  }
  return text;
};

const shortAscii = (bytes: Uint8Array, start: number, end: number): string | undefined => {
  let text = '';
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0x80;
    if (byte >= 0x80) {
      return undefined;
    }
    text += String.fromCharCode(byte);
  }
  return text;
};

/**
 * Text of UTF-8 bytes as Python decodes it with `surrogatepass`: strict, but three-byte forms of surrogates are taken.
 *
 * @throws PickleStop
 */
export const utf8SurrogatePass = (bytes: Uint8Array, start: number, end: number): string => {
  fitLength(end - start);
  const ascii = end - start <= SHORT ? shortAscii(bytes, start, end) : undefined;
  if (ascii !== undefined) {
    return ascii;
  }
  const part = bytes.subarray(start, end);
  try {
    return strict.decode(part);
  } catch {
    return passSurrogates(part);
  }
};

/** ED A0..BF xx is a surrogate; everything between two of them must be strict. */
const passSurrogates = (bytes: Uint8Array): string => {
  const pieces: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1] ?? 0;
    const third = bytes[at + 2] ?? 0;
    if (second >= 0xa0 && second <= 0xbf && third >= 0x80 && third <= 0xbf) {
      pieces.push(strictUtf8(bytes, from, at), String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)));
      from = at + 3;
    }
  }
  pieces.push(strictUtf8(bytes, from, bytes.length));
  return pieces.join('');
};

/**
 * Text of strict UTF-8 bytes.
 *
 * @throws PickleStop
 */
export const strictUtf8 = (bytes: Uint8Array, start: number, end: number): string => {
  fitLength(end - start);
  try {
    return strict.decode(bytes.subarray(start, end));
  } catch {
    return broken('a text that is not UTF-8');
  }
};

/** Every byte one character. */
export const latin1Text = (bytes: Uint8Array): string => {
  fitLength(bytes.length);
  return fromUnits(bytes);
};

/** Text of a string of Python 2: UTF-8 where it is that, else Latin-1 (FORMATS.md 2.13). */
export const python2Text = (bytes: Uint8Array): string => {
  try {
    return strict.decode(bytes);
  } catch {
    return fromUnits(bytes);
  }
};

const BACKSLASH = 0x5c;

const hexAt = (bytes: Uint8Array, start: number, digits: number): number | undefined => {
  let value = 0;
  for (let at = start; at < start + digits; at += 1) {
    const digit = Number.parseInt(String.fromCharCode(bytes[at] ?? 0), 16);
    if (Number.isNaN(digit)) {
      return undefined;
    }
    value = value * 16 + digit;
  }
  return value;
};

/**
 * Text of UNICODE's argument, Python's `raw-unicode-escape`: bytes are Latin-1, only `\uXXXX` and `\UXXXXXXXX` are
 * escapes, and a backslash after a backslash begins none.
 *
 * @throws PickleStop
 */
export const rawUnicodeEscape = (bytes: Uint8Array): string => {
  fitLength(bytes.length);
  if (!bytes.includes(BACKSLASH)) {
    return fromUnits(bytes);
  }
  const units = new Uint16Array(bytes.length);
  let count = 0;
  const put = (unit: number): void => {
    units[count] = unit;
    count += 1;
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const next = bytes[at + 1];
    const digits = byte !== BACKSLASH ? 0 : next === 0x75 ? 4 : next === 0x55 ? 8 : 0;
    if (digits > 0) {
      const code = hexAt(bytes, at + 2, digits);
      if (code === undefined || code > 0x10ffff) {
        broken('a bad \\u escape in a text');
      } else if (code > 0xffff) {
        put(0xd800 + ((code - 0x10000) >> 10));
        put(0xdc00 + ((code - 0x10000) & 0x3ff));
      } else {
        put(code);
      }
      at += 1 + digits;
    } else {
      put(byte);
      if (byte === BACKSLASH && next !== undefined) {
        put(next);
        at += 1;
      }
    }
  }
  return fromUnits(units.subarray(0, count));
};

/** Escapes of one letter in Python's byte strings. */
const ESCAPES: ReadonlyMap<number | undefined, number> = new Map([
  [0x5c, 0x5c],
  [0x27, 0x27],
  [0x22, 0x22],
  [0x61, 0x07],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x76, 0x0b],
]);

const isOctal = (byte: number | undefined): byte is number => byte !== undefined && byte >= 0x30 && byte <= 0x37;

/**
 * Bytes of STRING's argument, the `repr` of a Python-2 string: quoted, with the escapes of Python's byte strings; an
 * unknown one stands for itself, backslash included.
 *
 * @throws PickleStop
 */
export const quotedBytes = (line: Uint8Array): Uint8Array => {
  fitLength(line.length);
  const quote = line[0];
  if (line.length < 2 || quote !== line.at(-1) || (quote !== 0x27 && quote !== 0x22)) {
    broken('a STRING that is not quoted');
  }
  const inner = line.subarray(1, -1);
  if (!inner.includes(BACKSLASH)) {
    return inner;
  }
  const out = new Uint8Array(inner.length);
  let count = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const next = inner[at + 1];
    let byte = inner[at] ?? 0;
    if (byte === BACKSLASH) {
      const plain = ESCAPES.get(next);
      if (next === undefined) {
        broken('a backslash at the end of a STRING');
      } else if (plain !== undefined) {
        byte = plain;
        at += 1;
      } else if (next === 0x78) {
        byte = hexAt(inner, at + 2, 2) ?? broken('a bad \\x escape in a STRING');
        at += 3;
      } else if (isOctal(next)) {
        byte = 0;
        for (let digits = 0; digits < 3 && isOctal(inner[at + 1]); digits += 1) {
          at += 1;
          byte = byte * 8 + (inner[at] ?? 0) - 0x30;
        }
      }
    }
    out[count] = byte;
    count += 1;
  }
  return out.subarray(0, count);
};
