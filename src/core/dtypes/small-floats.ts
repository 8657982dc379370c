import { DTYPES, type FloatFormat } from './dtype-table.ts';

/** The one bit pattern that every NaN in these tables has: a quiet float32 NaN, as none of the formats needs a payload. */
export const CANONICAL_NAN_BITS = 0x7fc00000;

const isNaNCode = (format: FloatFormat, magnitude: number, negative: boolean): boolean => {
  const { exponentBits, mantissaBits, specials } = format;
  const allOnes = 2 ** (exponentBits + mantissaBits) - 1;
  switch (specials) {
    case 'ieee':
      return magnitude > allOnes - (2 ** mantissaBits - 1);
    case 'fn':
    case 'scale':
      return magnitude === allOnes;
    case 'fnuz':
      return negative && magnitude === 0;
    case 'none':
      return false;
  }
};

/**
 * The value of one code of a binary float format (formula and special codes of FORMATS.md 1.8).
 *
 * @param code the element's bits as an unsigned integer
 * @returns the exact value; ±Infinity, −0 and NaN where the format has them
 */
export const floatValue = (format: FloatFormat, code: number): number => {
  const { exponentBits, mantissaBits, bias, specials } = format;
  const signWeight = 2 ** (exponentBits + mantissaBits);
  const negative = code >= signWeight;
  const magnitude = negative ? code - signWeight : code;
  if (isNaNCode(format, magnitude, negative)) {
    return Number.NaN;
  }
  if (specials === 'scale') {
    return 2 ** (magnitude - bias);
  }
  const exponent = Math.floor(magnitude / 2 ** mantissaBits);
  const mantissa = magnitude % 2 ** mantissaBits;
  const sign = negative ? -1 : 1;
  if (specials === 'ieee' && exponent === 2 ** exponentBits - 1) {
    return sign * Number.POSITIVE_INFINITY;
  }
  return exponent === 0
    ? sign * mantissa * 2 ** (1 - bias - mantissaBits)
    : sign * (1 + mantissa / 2 ** mantissaBits) * 2 ** (exponent - bias);
};

/**
 * Whether a code of a format of at most 16 bits is a nonzero value below its smallest normal one. `scale` formats have none.
 */
export const isSubnormalCode = ({ exponentBits, mantissaBits, specials }: FloatFormat, code: number): boolean => {
  const magnitude = code & ((1 << (exponentBits + mantissaBits)) - 1);
  return specials !== 'scale' && magnitude > 0 && magnitude < 1 << mantissaBits;
};

const table = (format: FloatFormat, bits: number): Float32Array => {
  const values = Float32Array.from({ length: 2 ** bits }, (_, code) => floatValue(format, code));
  const patterns = new Uint32Array(values.buffer);
  values.forEach((value, code) => {
    if (Number.isNaN(value)) {
      patterns[code] = CANONICAL_NAN_BITS;
    }
  });
  return values;
};

/**
 * For every dtype of at most 8 bits with encoding `table`: its 16 (F4), 64 (F6_*) or 256 values, by code. Every value is
 * exactly a float32 (FORMATS.md 1.8); every NaN is {@link CANONICAL_NAN_BITS}. Not to be written to.
 */
export const SMALL_FLOAT_TABLES: ReadonlyMap<string, Float32Array> = new Map(
  [...DTYPES.values()].flatMap(({ name, bits, encoding, format }) =>
    encoding === 'table' && format !== undefined ? [[name, table(format, bits)] as const] : [],
  ),
);
