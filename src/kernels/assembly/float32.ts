import { maxSigned, maxUnsigned, minUnsigned } from './lanes';
import { COUNTS, KEYS, LAST_VECTORS, SQUARES, SUMS, TABLE } from './layout';
import {
  addTo,
  clearTally,
  enterReach,
  FAR_NEGATIVE,
  FAR_POSITIVE,
  NAN,
  NEAR_NEGATIVE,
  NEAR_POSITIVE,
  NEG_INF,
  NEG_ZEROS,
  POS_INF,
  SUBNORMALS,
  ZEROS,
} from './tally';

/** Bytes judged, then counted: they are still in the first-level cache the second time. */
const BLOCK: usize = 8192;
/** Bytes counted at once: four vectors. */
const GROUP: usize = 64;
const INFINITY: u32 = 0x7f800000;
/** The largest subnormal magnitude. */
const SUBNORMAL: u32 = 0x7fffff;
const SIGN: u32 = 0x80000000;

/**
 * An entry of the table has two 64-bit numbers: 2^40 for each float plus the sum of their lower 16 bits; and the sum of the
 * squares of these less 2^15, which one instruction gives for four floats. With fewer than 2^24 floats between two drains
 * nothing overflows. A key has two entries, used in turn, so that a run of one value does not wait for its own last store.
 */
const COUNT_SHIFT: u64 = 40;
const COUNT_ONE: u64 = (<u64>1) << COUNT_SHIFT;
const KEY_BYTES: usize = 32;
/** The square of what is subtracted from the lower 16 bits, as a shift. */
const BIAS_SHIFT: u64 = 30;

let nan: u32 = 0;
let posInf: u32 = 0;
let negInf: u32 = 0;
let subnormals: u32 = 0;
/** Subnormals that share the upper 16 bits of a zero. */
let tinyPositive: u32 = 0;
let tinyNegative: u32 = 0;
/** What `near` is at first: not less than that of a zero. */
const NOTHING: u32 = 0x7fffffff;
/** Magnitudes of finite numbers above zero; `near` is less 1, and not below INFINITY − 1 where there is none. */
let farPositive: u32 = 0;
let farNegative: u32 = 0;
let nearPositive = NOTHING;
let nearNegative = NOTHING;

/** Lanes of all ones, as the results of comparisons are, counted. */
function ones(sums: v128): u32 {
  return <u32>(
    -(
      i32x4.extract_lane(sums, 0) +
      i32x4.extract_lane(sums, 1) +
      i32x4.extract_lane(sums, 2) +
      i32x4.extract_lane(sums, 3)
    )
  );
}

/** Counts what is rare in a block, and finds the largest magnitudes of what is left. */
function judgeRare(from: usize, end: usize): void {
  const one = i32x4.splat(1);
  const sign = i32x4.splat(SIGN);
  const infinity = i32x4.splat(INFINITY);
  const subnormal = i32x4.splat(SUBNORMAL);
  const tiny = i32x4.splat(0xffff);
  const zero = i32x4.splat(0);
  let nans = zero;
  let posInfs = zero;
  let negInfs = zero;
  let subnormalOnes = zero;
  let tinyPositives = zero;
  let tinyNegatives = zero;
  let greatest = zero;
  let greatestUnsigned = zero;
  for (let at = from; at < end; at += 16) {
    const four = v128.load(at);
    const magnitude = v128.andnot(four, sign);
    // Zero wraps around to more than any.
    const nearness = i32x4.sub(magnitude, one);
    nans = i32x4.add(nans, i32x4.gt_s(magnitude, infinity));
    posInfs = i32x4.add(posInfs, i32x4.eq(four, infinity));
    negInfs = i32x4.add(negInfs, i32x4.eq(four, v128.or(infinity, sign)));
    subnormalOnes = i32x4.add(subnormalOnes, i32x4.lt_u(nearness, subnormal));
    tinyPositives = i32x4.add(tinyPositives, i32x4.lt_u(i32x4.sub(four, one), tiny));
    tinyNegatives = i32x4.add(tinyNegatives, i32x4.lt_u(i32x4.sub(v128.xor(four, sign), one), tiny));
    const finite = v128.and(four, i32x4.lt_s(magnitude, infinity));
    greatest = i32x4.max_s(greatest, finite);
    greatestUnsigned = i32x4.max_u(greatestUnsigned, finite);
  }
  nan += ones(nans);
  posInf += ones(posInfs);
  negInf += ones(negInfs);
  subnormals += ones(subnormalOnes);
  tinyPositive += ones(tinyPositives);
  tinyNegative += ones(tinyNegatives);
  farPositive = max(farPositive, <u32>maxSigned(greatest));
  farNegative = max(farNegative, belowSign(maxUnsigned(greatestUnsigned)));
}

/** The magnitude of the greatest number of all, unsigned: 0 when it has no sign bit. */
function belowSign(greatest: u32): u32 {
  return greatest >= SIGN ? greatest & ~SIGN : 0;
}

/** Finds the extremes of a block by sign, and counts what is rare if anything rare is in it. */
function judgeClosely(from: usize, end: usize): void {
  const one = i32x4.splat(1);
  const sign = i32x4.splat(SIGN);
  let greatest = i32x4.splat(0);
  let greatestUnsigned = greatest;
  let aboveZero = i32x4.splat(-1);
  let belowZero = aboveZero;
  for (let at = from; at < end; at += 16) {
    const four = v128.load(at);
    greatest = i32x4.max_s(greatest, four);
    // With its sign bit the largest magnitude below zero is the greatest of all.
    greatestUnsigned = i32x4.max_u(greatestUnsigned, four);
    // Zero and numbers of the other sign wrap around to more than any finite one of the right sign.
    aboveZero = i32x4.min_u(aboveZero, i32x4.sub(four, one));
    belowZero = i32x4.min_u(belowZero, i32x4.sub(v128.xor(four, sign), one));
  }
  const positive = <u32>maxSigned(greatest);
  const negative = belowSign(maxUnsigned(greatestUnsigned));
  const above = minUnsigned(aboveZero);
  const below = minUnsigned(belowZero);
  nearPositive = min(nearPositive, above);
  nearNegative = min(nearNegative, below);
  if (positive >= INFINITY || negative >= INFINITY || above < SUBNORMAL || below < SUBNORMAL) {
    judgeRare(from, end);
  } else {
    farPositive = max(farPositive, positive);
    farNegative = max(farNegative, negative);
  }
}

/**
 * Looks at the magnitudes in a block of whole pairs of vectors, and more closely only if they may hold an extreme, or anything
 * rare. Returns false when it is zeros only, without sign.
 */
function judge(from: usize, end: usize): bool {
  const one = i32x4.splat(1);
  let any = i32x4.splat(0);
  let greatest = any;
  let greatest2 = any;
  let least = i32x4.splat(-1);
  let least2 = least;
  for (let at = from; at < end; at += 32) {
    const four = v128.load(at);
    const four2 = v128.load(at, 16);
    // Twice the magnitude: the sign falls out at the top.
    const doubled = i32x4.add(four, four);
    const doubled2 = i32x4.add(four2, four2);
    any = v128.or(v128.or(any, four), four2);
    greatest = i32x4.max_u(greatest, doubled);
    greatest2 = i32x4.max_u(greatest2, doubled2);
    // Zero wraps around to more than any.
    least = i32x4.min_u(least, i32x4.sub(doubled, one));
    least2 = i32x4.min_u(least2, i32x4.sub(doubled2, one));
  }
  const far = maxUnsigned(i32x4.max_u(greatest, greatest2)) >> 1;
  const near = minUnsigned(i32x4.min_u(least, least2)) >> 1;
  const hasSigns = i32x4.bitmask(any) !== 0;
  // No new extreme of either sign that is in it.
  const knownFar = hasSigns ? min(farPositive, farNegative) : farPositive;
  const knownNear = hasSigns ? max(nearPositive, nearNegative) : nearPositive;
  if (far > knownFar || near < knownNear || far >= INFINITY || near < SUBNORMAL) {
    judgeClosely(from, end);
  }
  return far > 0 || hasSigns;
}

function addEven(entry: usize, value: v128): void {
  v128.store(entry, i64x2.add(v128.load(entry, TABLE), value), TABLE);
}

function addOdd(entry: usize, value: v128): void {
  v128.store(entry, i64x2.add(v128.load(entry, TABLE + 16), value), TABLE + 16);
}

/** Adds two floats at `at`, of which the vectors hold what goes into their entries. */
function addTwo(at: usize, sums: v128, squares: v128): void {
  addEven((<usize>load<u16>(at, 2)) << 5, v128.shuffle<i64>(sums, squares, 0, 2));
  addOdd((<usize>load<u16>(at, 6)) << 5, v128.shuffle<i64>(sums, squares, 1, 3));
}

function lowBits(at: usize): v128 {
  return v128.and(v128.load(at), i32x4.splat(0xffff));
}

/** Squares of four lower halves less 2^15: of signed 16-bit numbers. */
function squaresOf(low: v128): v128 {
  const biased = v128.xor(low, i32x4.splat(0x8000));
  return i32x4.dot_i16x8_s(biased, biased);
}

function lowPairs(lower: v128, upper: v128): v128 {
  return v128.shuffle<i32>(lower, upper, 0, 4, 1, 5);
}

function highPairs(lower: v128, upper: v128): v128 {
  return v128.shuffle<i32>(lower, upper, 2, 6, 3, 7);
}

/**
 * Counts by upper 16 bits, in whole groups of four vectors, which is a fifth quicker than one by one. NaN and infinities too:
 * their entries are thrown away when drained.
 */
function count(from: usize, end: usize): void {
  const zero = i32x4.splat(0);
  /** In an upper half: one float more. */
  const one = i32x4.splat(<i32>(COUNT_ONE >> 32));
  for (let at = from; at < end; at += GROUP) {
    let low = lowBits(at);
    let squares = squaresOf(low);
    addTwo(at, lowPairs(low, one), lowPairs(squares, zero));
    addTwo(at + 8, highPairs(low, one), highPairs(squares, zero));
    low = lowBits(at + 16);
    squares = squaresOf(low);
    addTwo(at + 16, lowPairs(low, one), lowPairs(squares, zero));
    addTwo(at + 24, highPairs(low, one), highPairs(squares, zero));
    low = lowBits(at + 32);
    squares = squaresOf(low);
    addTwo(at + 32, lowPairs(low, one), lowPairs(squares, zero));
    addTwo(at + 40, highPairs(low, one), highPairs(squares, zero));
    low = lowBits(at + 48);
    squares = squaresOf(low);
    addTwo(at + 48, lowPairs(low, one), lowPairs(squares, zero));
    addTwo(at + 56, highPairs(low, one), highPairs(squares, zero));
  }
}

/** Counts as many zeros as there are; below zero it takes them back. */
function countZeros(zeros: u64): void {
  store<u64>(TABLE, load<u64>(TABLE) + (zeros << COUNT_SHIFT));
  store<u64>(TABLE, load<u64>(TABLE, 8) + (zeros << BIAS_SHIFT), 8);
}

/** Takes in `numbers` float32 at `from`; fewer than 2^24 between two drains. */
export function scanFloat32(from: usize, numbers: u32): void {
  const whole = from + ((<usize>numbers & ~15) << 2);
  for (let at = from; at < whole; at += BLOCK) {
    const end = min(at + BLOCK, whole);
    if (judge(at, end)) {
      count(at, end);
    } else {
      countZeros((end - at) >> 2);
    }
  }
  const rest = numbers & 15;
  if (rest > 0) {
    memory.fill(LAST_VECTORS, 0, GROUP);
    memory.copy(LAST_VECTORS, whole, (<usize>rest) << 2);
    judge(LAST_VECTORS, LAST_VECTORS + GROUP);
    count(LAST_VECTORS, LAST_VECTORS + GROUP);
    // The zeros behind the end are none.
    countZeros(<u64>rest - 16);
  }
}

/** Takes the zeros out of the entries that they share with the subnormals next to them. Returns how many. */
function takeZeros(key: usize, tiny: u32): u64 {
  // Neither the one nor the other: the entry that zeros are taken back from may be below zero.
  const both = i64x2.add(v128.load(key), v128.load(key, 16));
  const packed = <u64>i64x2.extract_lane(both, 0);
  const zeros = (packed >> COUNT_SHIFT) - tiny;
  store<u64>(key, packed - (zeros << COUNT_SHIFT));
  store<u64>(key, <u64>i64x2.extract_lane(both, 1) - (zeros << BIAS_SHIFT), 8);
  v128.store(key, i32x4.splat(0), 16);
  return zeros;
}

/** Lists one key, if there is anything in it, and empties it. */
function takeKey(raw: u32, key: u32, found: i32): i32 {
  const entry = TABLE + <usize>raw * KEY_BYTES;
  const both = i64x2.add(v128.load(entry), v128.load(entry, 16));
  const packed = <u64>i64x2.extract_lane(both, 0);
  if (packed === 0) {
    return found;
  }
  const times = packed >> COUNT_SHIFT;
  const low = packed & (COUNT_ONE - 1);
  store<u32>(KEYS + ((<usize>found) << 2), key);
  store<f64>(COUNTS + ((<usize>found) << 3), <f64>times);
  store<f64>(SUMS + ((<usize>found) << 3), <f64>low);
  // l² = (l − 2^15)² + 2^16·l − 2^30
  const squares = <u64>i64x2.extract_lane(both, 1) + (low << 16) - (times << BIAS_SHIFT);
  addTo(SQUARES + ((<usize>((raw >> 7) & 0xff)) << 3), squares);
  v128.store(entry, i32x4.splat(0));
  v128.store(entry, i32x4.splat(0), 16);
  return found + 1;
}

/**
 * Lists counts and sums of lower bits by order-preserving key, the finite nonzero numbers alone; sums of squares by exponent.
 * Everything is empty afterwards. Returns how many.
 */
export function drainFloat32(): i32 {
  clearTally();
  memory.fill(SQUARES, 0, 2048);
  store<u64>(NAN, nan);
  store<u64>(POS_INF, posInf);
  store<u64>(NEG_INF, negInf);
  store<u64>(SUBNORMALS, subnormals);
  const negZeros = takeZeros(TABLE + 0x8000 * KEY_BYTES, tinyNegative);
  store<u64>(NEG_ZEROS, negZeros);
  store<u64>(ZEROS, negZeros + takeZeros(TABLE, tinyPositive));
  let found: i32 = 0;
  if (farNegative > 0) {
    enterReach(FAR_NEGATIVE, NEAR_NEGATIVE, farNegative, nearNegative + 1);
    const last = (nearNegative + 1) >> 16;
    for (let raw = <i32>(farNegative >> 16); raw >= <i32>last; raw -= 1) {
      found = takeKey(0x8000 | raw, 0x7fff - raw, found);
    }
  }
  if (farPositive > 0) {
    enterReach(FAR_POSITIVE, NEAR_POSITIVE, farPositive, nearPositive + 1);
    for (let raw = (nearPositive + 1) >> 16; raw <= farPositive >> 16; raw += 1) {
      found = takeKey(raw, 0x8000 | raw, found);
    }
  }
  if ((nan | posInf | negInf) > 0) {
    memory.fill(TABLE + 0x7f80 * KEY_BYTES, 0, 0x80 * KEY_BYTES);
    memory.fill(TABLE + 0xff80 * KEY_BYTES, 0, 0x80 * KEY_BYTES);
  }
  nan = 0;
  posInf = 0;
  negInf = 0;
  subnormals = 0;
  tinyPositive = 0;
  tinyNegative = 0;
  farPositive = 0;
  farNegative = 0;
  nearPositive = NOTHING;
  nearNegative = NOTHING;
  return found;
}
