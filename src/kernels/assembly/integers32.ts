import { takeNegatives, takePositives, takeZeros } from './integers';
import { maxSigned, maxUnsigned, minSigned, minUnsigned, sumPair } from './lanes';
import { KEY_VECTOR, LAST_VECTORS, TABLE } from './layout';
import { clearTally, enterReach, FAR_NEGATIVE, FAR_POSITIVE, LIMBS, NEAR_NEGATIVE, NEAR_POSITIVE } from './tally';

/** The sum, and the sums of the lower and upper 32 bits of squares: exact for 2^31 numbers. */
let sum: u64 = 0;
let squaresLow: u64 = 0;
let squaresHigh: u64 = 0;
/** The largest magnitude of a sign, 0 for none; `near` is the smallest, less 1. */
let farPositive: u32 = 0;
let farNegative: u32 = 0;
let nearPositive: u32 = u32.MAX_VALUE;
let nearNegative: u32 = u32.MAX_VALUE;

function countKeys<T>(four: v128): void {
  v128.store(KEY_VECTOR, isSigned<T>() ? f32x4.convert_i32x4_s(four) : f32x4.convert_i32x4_u(four));
  let entry = (<usize>load<u16>(KEY_VECTOR, 2)) << 4;
  store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
  entry = (<usize>load<u16>(KEY_VECTOR, 6)) << 4;
  store<u32>(entry, load<u32>(entry, TABLE + 4) + 1, TABLE + 4);
  entry = (<usize>load<u16>(KEY_VECTOR, 10)) << 4;
  store<u32>(entry, load<u32>(entry, TABLE + 8) + 1, TABLE + 8);
  entry = (<usize>load<u16>(KEY_VECTOR, 14)) << 4;
  store<u32>(entry, load<u32>(entry, TABLE + 12) + 1, TABLE + 12);
}

function scanVectors<T>(from: usize, end: usize): void {
  const one = i32x4.splat(1);
  const mask = i64x2.splat(0xffffffff);
  let greatest = i32x4.splat(0);
  let least = greatest;
  let aboveZero = i32x4.splat(-1);
  let belowZero = aboveZero;
  let sums = i64x2.splat(0);
  let low = sums;
  let high = sums;
  for (let at = from; at < end; at += 16) {
    const four = v128.load(at);
    let squares: v128;
    let squares2: v128;
    // Zero, and of signed numbers those of the other sign, wrap around to more than any of the right one.
    aboveZero = i32x4.min_u(aboveZero, i32x4.sub(four, one));
    if (isSigned<T>()) {
      greatest = i32x4.max_s(greatest, four);
      least = i32x4.min_s(least, four);
      belowZero = i32x4.min_u(belowZero, v128.not(four));
      sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_s(four), i64x2.extend_high_i32x4_s(four)));
      squares = i64x2.extmul_low_i32x4_s(four, four);
      squares2 = i64x2.extmul_high_i32x4_s(four, four);
    } else {
      greatest = i32x4.max_u(greatest, four);
      sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_u(four), i64x2.extend_high_i32x4_u(four)));
      squares = i64x2.extmul_low_i32x4_u(four, four);
      squares2 = i64x2.extmul_high_i32x4_u(four, four);
    }
    low = i64x2.add(low, i64x2.add(v128.and(squares, mask), v128.and(squares2, mask)));
    high = i64x2.add(high, i64x2.add(i64x2.shr_u(squares, 32), i64x2.shr_u(squares2, 32)));
    countKeys<T>(four);
  }
  sum += sumPair(sums);
  squaresLow += sumPair(low);
  squaresHigh += sumPair(high);
  farPositive = max(farPositive, isSigned<T>() ? <u32>maxSigned(greatest) : maxUnsigned(greatest));
  farNegative = max(farNegative, <u32>-minSigned(least));
  nearPositive = min(nearPositive, minUnsigned(aboveZero));
  nearNegative = min(nearNegative, minUnsigned(belowZero));
}

function scan<T>(from: usize, numbers: u32): void {
  const whole = from + ((<usize>numbers & ~3) << 2);
  scanVectors<T>(from, whole);
  const rest = numbers & 3;
  if (rest > 0) {
    v128.store(LAST_VECTORS, i32x4.splat(0));
    memory.copy(LAST_VECTORS, whole, (<usize>rest) << 2);
    scanVectors<T>(LAST_VECTORS, LAST_VECTORS + 16);
    // The zeros behind the end are none: each was counted in its own lane.
    for (let lane = <usize>rest; lane < 4; lane += 1) {
      const zeros = TABLE + (lane << 2);
      store<u32>(zeros, load<u32>(zeros) - 1);
    }
  }
}

/** Takes in `numbers` signed integers at `from`; at most 2^31 between two drains. */
export function scanSigned32(from: usize, numbers: u32): void {
  scan<i32>(from, numbers);
}

/** Takes in `numbers` unsigned integers at `from`; at most 2^31 between two drains. */
export function scanUnsigned32(from: usize, numbers: u32): void {
  scan<u32>(from, numbers);
}

/** Lists the counts by order-preserving key; everything is empty afterwards. Returns how many. */
export function drainIntegers32(): i32 {
  clearTally();
  store<u64>(LIMBS, sum);
  store<u64>(LIMBS, squaresLow, 8);
  store<u64>(LIMBS, squaresHigh, 16);
  takeZeros();
  let found: i32 = 0;
  if (farNegative > 0) {
    enterReach(FAR_NEGATIVE, NEAR_NEGATIVE, farNegative, nearNegative + 1);
    found = takeNegatives(<f32>farNegative, <f32>(nearNegative + 1));
  }
  if (farPositive > 0) {
    enterReach(FAR_POSITIVE, NEAR_POSITIVE, farPositive, nearPositive + 1);
    found = takePositives(<f32>(nearPositive + 1), <f32>farPositive, found);
  }
  sum = 0;
  squaresLow = 0;
  squaresHigh = 0;
  farPositive = 0;
  farNegative = 0;
  nearPositive = u32.MAX_VALUE;
  nearNegative = u32.MAX_VALUE;
  return found;
}
