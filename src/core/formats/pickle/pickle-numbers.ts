import { narrow } from '../../checked-arithmetic.ts';
import { LONGEST_LONG, LONGEST_NUMBER_TEXT } from './limits.ts';
import { broken, overLimit } from './pickle-stop.ts';
import { latin1Text } from './pickle-text.ts';

/** Text of a number's line. CPython hands the line to C functions, for which it ends at a NUL. */
const numberText = (line: Uint8Array): string => {
  if (line.length > LONGEST_NUMBER_TEXT) {
    overLimit(`a number of ${line.length} characters; at most ${LONGEST_NUMBER_TEXT} are read`);
  }
  const nul = line.indexOf(0);
  return latin1Text(nul < 0 ? line : line.subarray(0, nul));
};

const ANY_BASE =
  /^[ \t\n\v\f\r]*([+-]?)(0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|[1-9](?:_?\d)*|0(?:_?0)*)[ \t\n\v\f\r]*$/;
const BASE_TEN = /^[ \t\n\v\f\r]*([+-]?)(\d(?:_?\d)*)[ \t\n\v\f\r]*$/;
const C_OCTAL = /^[ \t\n\v\f\r]*([+-]?)0([0-7]+)$/;
const C_DECIMAL = /^[ \t\n\v\f\r]*([+-]?)(\d+)$/;

const pythonInt = (text: string, pattern: RegExp): bigint | undefined => {
  const [, sign, digits] = pattern.exec(text) ?? [];
  if (digits === undefined) {
    return undefined;
  }
  const value = BigInt(digits.replaceAll('_', ''));
  return sign === '-' ? -value : value;
};

/**
 * INT's argument: `00` and `01` are False and True, everything else as C's `strtol` with base 0 and then Python's `int`
 * with base 0 take it (so `010` is 8, `0x10` 16), which is what CPython's loader does.
 *
 * @throws PickleStop
 */
export const parseInt0 = (line: Uint8Array): number | bigint | boolean => {
  const text = numberText(line);
  const [, sign, octal] = C_OCTAL.exec(text) ?? [];
  const value = octal === undefined ? pythonInt(text, ANY_BASE) : BigInt(`0o${octal}`) * (sign === '-' ? -1n : 1n);
  if (value === undefined) {
    return broken(`an integer that is none: ${JSON.stringify(text.slice(0, 40))}`);
  }
  // The loader asks for two characters and a value of 0 or 1, so that "+1" is True as well.
  const isBool = line.length === 2 && (value === 0n || value === 1n) && C_DECIMAL.test(text);
  return isBool ? value === 1n : narrow(value);
};

/**
 * LONG's argument: an integer of any base with an optional `L`.
 *
 * @throws PickleStop
 */
export const parseLong = (line: Uint8Array): number | bigint => {
  const text = numberText(line.at(-1) === 0x4c ? line.subarray(0, -1) : line);
  const value = pythonInt(text, ANY_BASE) ?? broken(`an integer that is none: ${JSON.stringify(text.slice(0, 40))}`);
  return narrow(value);
};

/**
 * The memo slot in GET's and PUT's argument.
 *
 * @throws PickleStop
 */
export const parseSlot = (line: Uint8Array): number => {
  const value = pythonInt(numberText(line), BASE_TEN) ?? broken('a memo slot that is no number');
  return value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : broken('a memo slot out of range');
};

const FLOAT = /^\s*([+-]?(?:\d(?:_?\d)*\.?|\d(?:_?\d)*\.\d(?:_?\d)*|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)\s*$/;
const NOT_FINITE = /^\s*([+-]?)(inf|infinity|nan)\s*$/i;

/**
 * FLOAT's argument as either of CPython's two loaders takes it: where one refuses (`1e999`, ` 1`, `1_0`) and the other
 * does not, stopping would hide what follows.
 *
 * @throws PickleStop
 */
export const parseFloatText = (line: Uint8Array): number => {
  const text = numberText(line);
  const digits = FLOAT.exec(text)?.[1];
  if (digits !== undefined) {
    return Number(digits.replaceAll('_', ''));
  }
  const [, sign, word] = NOT_FINITE.exec(text) ?? [];
  if (word === undefined) {
    return broken(`a float that is none: ${JSON.stringify(text.slice(0, 40))}`);
  }
  return word.toLowerCase() === 'nan' ? Number.NaN : sign === '-' ? -Infinity : Infinity;
};

/** Bytes that always fit 2^53. */
const SMALL = 6;

/**
 * A two's complement little-endian integer of any length.
 *
 * @throws PickleStop
 */
export const longOfBytes = (bytes: Uint8Array): number | bigint => {
  const { length } = bytes;
  if (length > LONGEST_LONG) {
    overLimit(`an integer of ${length} bytes; at most ${LONGEST_LONG} are read`);
  }
  if (length <= SMALL) {
    let small = 0;
    for (let at = length - 1; at >= 0; at -= 1) {
      small = small * 256 + (bytes[at] ?? 0);
    }
    return (bytes[length - 1] ?? 0) >= 0x80 ? small - 256 ** length : small;
  }
  const digits: string[] = [];
  for (let at = length - 1; at >= 0; at -= 1) {
    digits.push((bytes[at] ?? 0).toString(16).padStart(2, '0'));
  }
  return narrow(BigInt.asIntN(8 * length, BigInt(`0x${digits.join('')}`)));
};
