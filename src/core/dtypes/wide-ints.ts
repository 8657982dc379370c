const TWO_32 = 2 ** 32;

/**
 * The float32 nearest to a 64-bit integer given as two words, ties to even, rounded once.
 *
 * Going through the nearest f64 would round twice: 2^60 + 2^36 + 1 would become 2^60 instead of 2^60 + 2^37.
 *
 * @param high the upper 32 bits, signed for I64 and unsigned for U64
 * @param low the lower 32 bits, unsigned
 */
export const nearestFloat32 = (high: number, low: number): number => {
  if (high >= -(2 ** 21) && high < 2 ** 21) {
    // Fits the 53 bits of an f64.
    return Math.fround(high * TWO_32 + low);
  }
  // Only whether the 12 lowest bits are zero matters to a float32 this large, so they shrink to one bit that an f64 can hold.
  const sticky = (low & 0xfff) === 0 ? 0 : 0x800;
  return Math.fround(high * TWO_32 + (low - (low & 0xfff)) + sticky);
};

/** The f64 nearest to a 64-bit integer given as two words (see {@link nearestFloat32}), ties to even, rounded once. */
export const nearestFloat64 = (high: number, low: number): number => high * TWO_32 + low;
