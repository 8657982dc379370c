import { addMoments, type Moments, NO_MOMENTS } from './moments.ts';

/** Binary exponent of the smallest positive float32, the unit of every sum here. */
export const FLOAT32_UNIT = -149;

/**
 * Exact sums over finite float32 values, gathered by exponent so that plain f64 additions suffice.
 *
 * A value is ±(h·2^16 + low) · 2^(e − 150), where the upper 16 bits of its pattern give sign, exponent e and h (the implicit
 * bit and seven of the mantissa), and the lower 16 are `low`. What is summed are integers, and an instance stays exact for
 * 2^28 elements; for 2^36 when no `low` needs more than its upper 8 bits.
 */
export class Float32Moments {
  readonly #h = new Float64Array(256);
  readonly #low = new Float64Array(256);
  readonly #hh = new Float64Array(256);
  readonly #hLow = new Float64Array(256);
  readonly #lowLow = new Float64Array(256);
  #extraSquares = 0n;

  /**
   * Adds `count` finite elements with the same upper 16 bits.
   *
   * @param upper those bits
   * @param lowSum the sum of their lower 16 bits
   * @param lowSquares the sum of those bits' squares, unless they come by {@link addLowSquares}
   */
  add(upper: number, count: number, lowSum: number, lowSquares = 0): void {
    const exponent = (upper >>> 7) & 0xff;
    const h = (upper & 0x7f) | (exponent === 0 ? 0 : 0x80);
    const sign = upper >= 0x8000 ? -1 : 1;
    this.#h[exponent] = (this.#h[exponent] ?? 0) + sign * count * h;
    this.#low[exponent] = (this.#low[exponent] ?? 0) + sign * lowSum;
    this.#hh[exponent] = (this.#hh[exponent] ?? 0) + count * h * h;
    this.#hLow[exponent] = (this.#hLow[exponent] ?? 0) + h * lowSum;
    this.#lowLow[exponent] = (this.#lowLow[exponent] ?? 0) + lowSquares;
  }

  /** Adds the squares of lower bits, summed over elements of one exponent field. */
  addLowSquares(exponent: number, squares: bigint): void {
    this.#extraSquares += squares << BigInt(2 * (Math.max(exponent, 1) - 1));
  }

  /** The sums, in units of 2^-149 and 2^-298. */
  moments(): Moments {
    let sums: Moments = { ...NO_MOMENTS, sumSquares: this.#extraSquares };
    for (let exponent = 0; exponent < 255; exponent += 1) {
      const hh = this.#hh[exponent] ?? 0;
      const lowLow = this.#lowLow[exponent] ?? 0;
      const low = this.#low[exponent] ?? 0;
      if (hh === 0 && lowLow === 0 && low === 0) {
        continue;
      }
      const shift = BigInt(Math.max(exponent, 1) - 1);
      const sum = (BigInt(this.#h[exponent] ?? 0) << 16n) + BigInt(low);
      const squares = (BigInt(hh) << 32n) + (BigInt(this.#hLow[exponent] ?? 0) << 17n) + BigInt(lowLow);
      sums = addMoments(sums, { sum: sum << shift, sumSquares: squares << (2n * shift) });
    }
    return sums;
  }
}
