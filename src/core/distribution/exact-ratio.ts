/** Bits of a positive integer's binary form, rounded up to a multiple of 4. */
const bitLength = (value: bigint): number => value.toString(16).length * 4;

/** `value` · 2^`exponent`, for values and results that are normal numbers or zero. */
const scale = (value: number, exponent: number): number => {
  // One power of two may lie outside the range of f64 where the result does not.
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
};

/** The exponent of the smallest positive f64. */
const MIN_EXPONENT = -1074;

const positiveRatio = (numerator: bigint, denominator: bigint, exponent: number): number => {
  // Enough bits that the quotient has at least 60, unless it is so small that f64 has fewer to give.
  const wanted = 64 - (bitLength(numerator) - bitLength(denominator));
  const shift = Math.min(wanted, exponent - MIN_EXPONENT);
  const top = shift > 0 ? numerator << BigInt(shift) : numerator;
  const bottom = shift < 0 ? denominator << BigInt(-shift) : denominator;
  const quotient = top / bottom;
  const rest = top % bottom;
  if (quotient >= 1n << 53n) {
    // Number() rounds to nearest, ties to even; the bit appended tells it that a tie is none.
    return scale(Number((quotient << 1n) | (rest === 0n ? 0n : 1n)), exponent - shift - 1);
  }
  const twice = rest * 2n;
  const up = twice > bottom || (twice === bottom && quotient % 2n === 1n);
  return Number(quotient + (up ? 1n : 0n)) * 2 ** MIN_EXPONENT;
};

/**
 * The f64 nearest to `numerator` / `denominator` · 2^`exponent`, ties to even, subnormals included.
 *
 * @param denominator positive
 * @param exponent at least −1074 − 64; the result must not exceed the f64 range
 */
export const ratioToNumber = (numerator: bigint, denominator: bigint, exponent: number): number => {
  if (numerator === 0n) {
    return 0;
  }
  return numerator < 0n
    ? -positiveRatio(-numerator, denominator, exponent)
    : positiveRatio(numerator, denominator, exponent);
};

/** The largest integer whose square is at most `value` (below 2^200). */
const integerSqrt = (value: bigint): bigint => {
  if (value < 1n) {
    return 0n;
  }
  // 52 good bits to start with; each step of Newton's doubles them.
  let root = BigInt(Math.floor(Math.sqrt(Number(value))));
  for (let step = 0; step < 2; step += 1) {
    root = (root + value / root) >> 1n;
  }
  while (root * root > value) {
    root -= 1n;
  }
  while ((root + 1n) * (root + 1n) <= value) {
    root += 1n;
  }
  return root;
};

/**
 * √`square` / `denominator` · 2^`exponent`, off by less than 0.5001 units in the last place.
 *
 * @param square not negative
 * @param denominator positive
 * @param exponent as for {@link ratioToNumber}
 */
export const sqrtRatioToNumber = (square: bigint, denominator: bigint, exponent: number): number => {
  if (square === 0n) {
    return 0;
  }
  // To 141-144 bits, so that the root has at least 70. The shift is even, so half of it can leave the root.
  const shift = 144 - bitLength(square);
  const scaled = shift >= 0 ? square << BigInt(shift) : square >> BigInt(-shift);
  return ratioToNumber(integerSqrt(scaled), denominator, exponent - shift / 2);
};
