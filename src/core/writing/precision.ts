import type { PrecisionLoss } from '../../shared/checkpoint-types.ts';
import type { ElementWindow } from '../dtypes/element-window.ts';

/** Significant bits of a float32. */
const SIGNIFICANT = 24;

const trailingZeros = (word: number): number => 31 - Math.clz32(word & -word);

/** Whether a whole number of up to 64 bits, by its magnitude, has more significant bits than float32. */
const isWide = (high: number, low: number): boolean => {
  if (high === 0) {
    return low !== 0 && 32 - Math.clz32(low) - trailingZeros(low) > SIGNIFICANT;
  }
  const lowest = low === 0 ? 32 + trailingZeros(high) : trailingZeros(low);
  return 64 - Math.clz32(high) - lowest > SIGNIFICANT;
};

const wideInts64 = (words: Uint32Array, signed: boolean): number => {
  let wide = 0;
  for (let at = 0; at + 1 < words.length; at += 2) {
    const low = words[at] ?? 0;
    const high = words[at + 1] ?? 0;
    const negative = signed && high >= 0x80000000;
    // Two's complement: −x is ~x + 1, whose carry reaches the upper word only where the lower one is 0.
    const inexact = negative ? isWide((~high + (low === 0 ? 1 : 0)) >>> 0, -low >>> 0) : isWide(high, low);
    wide += inexact ? 1 : 0;
  }
  return wide;
};

const wideInts32 = (values: Uint32Array | Int32Array): number => {
  let wide = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    wide += Math.fround(value) === value ? 0 : 1;
  }
  return wide;
};

/** Counts, while a tensor is written as float32, the numbers that float32 cannot hold. */
export class PrecisionCounter {
  #values = 0;
  #inexact = 0;
  #overflowed = 0;

  /** Whether numbers of this encoding can be lost in float32 at all. */
  static narrows(encoding: string): boolean {
    return ['f64', 'i32', 'u32', 'i64', 'u64'].includes(encoding);
  }

  /** Counts a window of numbers about to be converted. */
  add({ info, bytes: { buffer, byteOffset }, length }: ElementWindow): void {
    this.#values += length;
    switch (info.encoding) {
      case 'f64':
        this.#addDoubles(new Float64Array(buffer, byteOffset, length));
        break;
      case 'i32':
        this.#inexact += wideInts32(new Int32Array(buffer, byteOffset, length));
        break;
      case 'u32':
        this.#inexact += wideInts32(new Uint32Array(buffer, byteOffset, length));
        break;
      case 'i64':
      case 'u64':
        this.#inexact += wideInts64(new Uint32Array(buffer, byteOffset, length * 2), info.encoding === 'i64');
        break;
      default:
        break;
    }
  }

  /** What has been lost so far. */
  get loss(): PrecisionLoss {
    return { values: this.#values, inexact: this.#inexact, overflowed: this.#overflowed };
  }

  #addDoubles(values: Float64Array): void {
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at] ?? 0;
      const rounded = Math.fround(value);
      if (rounded !== value && !Number.isNaN(value)) {
        this.#inexact += 1;
        this.#overflowed += Number.isFinite(rounded) ? 0 : 1;
      }
    }
  }
}

/** A loss as a sentence; undefined when nothing was lost. */
export const precisionNote = ({ values, inexact, overflowed }: PrecisionLoss): string | undefined => {
  if (inexact === 0) {
    return undefined;
  }
  const infinite = overflowed === 0 ? '' : `; ${overflowed} of them became infinite`;
  return `${inexact} of ${values} numbers are not exact in float32${infinite}`;
};
