import type { Float32LoopTotals, Float64LoopTotals, LoopTotals } from '../core/distribution/compiled/compiled-loops.ts';
import type { Float64Row } from '../core/distribution/float64-rows.ts';
import type { Moments } from '../core/distribution/moments.ts';
import type { SparseCounts } from '../core/distribution/sparse-counts.ts';
import type { LoopExports } from './loop-exports.ts';

/** Entries of the tally, in the order of assembly/tally.ts. */
const NAN = 0;
const POS_INF = 1;
const NEG_INF = 2;
const ZEROS = 3;
const NEG_ZEROS = 4;
const SUBNORMALS = 5;
const FAR_POSITIVE = 6;
const NEAR_POSITIVE = 7;
const FAR_NEGATIVE = 8;
const NEAR_NEGATIVE = 9;
const LIMBS = 10;
const TALLY_LENGTH = 20;

/** 64-bit sums of a row: see assembly/float64.ts. */
const ROW_LENGTH = 8;

/** Reads what a drain left in the loops' memory. Everything it gives is a copy. */
export class LoopResults {
  readonly #buffer: ArrayBuffer;
  readonly #exports: LoopExports;
  readonly #tally: BigUint64Array;

  constructor(exports: LoopExports) {
    this.#exports = exports;
    this.#buffer = exports.memory.buffer;
    this.#tally = new BigUint64Array(this.#buffer, exports.TALLY.value, TALLY_LENGTH);
  }

  /** @param length keys that the drain listed */
  counts(length: number): SparseCounts {
    const { KEYS, COUNTS } = this.#exports;
    return {
      keys: new Uint32Array(this.#buffer, KEYS.value, length).slice(),
      counts: new Float64Array(this.#buffer, COUNTS.value, length).slice(),
    };
  }

  totals(length: number): LoopTotals {
    return {
      nan: Number(this.#at(NAN)),
      posInf: Number(this.#at(POS_INF)),
      negInf: Number(this.#at(NEG_INF)),
      zeros: Number(this.#at(ZEROS)),
      negZeros: Number(this.#at(NEG_ZEROS)),
      subnormals: Number(this.#at(SUBNORMALS)),
      reach: {
        farNegative: this.#at(FAR_NEGATIVE),
        nearNegative: this.#at(NEAR_NEGATIVE),
        nearPositive: this.#at(NEAR_POSITIVE),
        farPositive: this.#at(FAR_POSITIVE),
      },
      keys: this.counts(length),
    };
  }

  float32(length: number): Float32LoopTotals {
    const { SUMS, SQUARES } = this.#exports;
    return {
      ...this.totals(length),
      lowSums: new Float64Array(this.#buffer, SUMS.value, length).slice(),
      lowSquares: new BigUint64Array(this.#buffer, SQUARES.value, 256).slice(),
    };
  }

  float64(length: number): Float64LoopTotals {
    const rows = Number(this.#at(LIMBS));
    const sums = new BigUint64Array(this.#buffer, this.#exports.SUMS.value, rows * ROW_LENGTH);
    return {
      ...this.totals(length),
      rows: Array.from({ length: rows }, (_, index) =>
        rowOf(sums.subarray(index * ROW_LENGTH, (index + 1) * ROW_LENGTH)),
      ),
    };
  }

  /** Moments of 32-bit integers. */
  moments32(): Moments {
    return { sum: BigInt.asIntN(64, this.#limb(0)), sumSquares: (this.#limb(2) << 32n) + this.#limb(1) };
  }

  /** Moments of 64-bit integers: the sums of upper halves are signed where the integers are. */
  moments64(signed: boolean): Moments {
    const joined = (low: number, high: bigint): bigint => (high << 32n) + this.#limb(low);
    const signedLimb = (at: number): bigint => (signed ? BigInt.asIntN(64, this.#limb(at)) : this.#limb(at));
    const lowLow = joined(2, this.#limb(3));
    const cross = joined(4, signedLimb(5));
    const highHigh = joined(6, this.#limb(7));
    return { sum: joined(0, signedLimb(1)), sumSquares: lowLow + (cross << 33n) + (highHigh << 64n) };
  }

  #at(entry: number): bigint {
    return this.#tally[entry] ?? 0n;
  }

  #limb(index: number): bigint {
    return this.#at(LIMBS + index);
  }
}

const rowOf = (sums: BigUint64Array): Float64Row => {
  const [upper = 0n, lower = 0n, aa = 0n, ab = 0n, acbb = 0n, bc = 0n, cc = 0n, rowAndCount = 0n] = sums;
  return {
    row: Number(rowAndCount >> 48n),
    count: Number(rowAndCount & 0xffff_ffff_ffffn),
    mantissas: (upper << 32n) + lower,
    squares: [ab, acbb, bc, cc].reduce((total, limb) => (total << 17n) + limb, aa),
  };
};
