const DIGIT = /\d/;
const DIGITS = /\d+/g;
const ZERO = 0x30;
const LEADING_ZEROS = /^0+(?=\d)/;

const withLength = (digits: string): string => {
  if (digits.length === 1) {
    return `1${digits}`;
  }
  const short = digits.replace(LEADING_ZEROS, '');
  // Leading zeros only break ties, so that `01` and `1` stay apart.
  const zeros = '\u0001'.repeat(Math.min(digits.length - short.length, 8));
  return String.fromCharCode(ZERO + Math.min(short.length, 0x7000)) + short + zeros;
};

/**
 * A key whose plain string order is the natural order of `name`: `layers.2` before `layers.10`, and a dotted path after
 * its own prefix. Each run of digits is led by a character for its length, and dots sort before everything else.
 */
export const naturalKey = (name: string): string =>
  (DIGIT.test(name) ? name.replace(DIGITS, withLength) : name).replaceAll('.', '\u0000');

/** Compares two keys made by {@link naturalKey}. */
export const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
