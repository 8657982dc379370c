import { maxSigned, sumPair } from './lanes';
import { COUNTS, KEYS, LAST_VECTORS, ROWS, SUMS, TABLE } from './layout';
import {
  addTo,
  clearTally,
  enterReach,
  FAR_NEGATIVE,
  FAR_POSITIVE,
  LIMBS,
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
const SIGN: u64 = 0x8000000000000000;
const EXPONENT_BITS: u64 = 0x7ff0000000000000;
/** The exponent of infinities and NaN in the upper word of a number. */
const INFINITY_WORD: i32 = 0x7ff00000;
const MIN_NORMAL: f64 = 2.2250738585072014e-308;
/** 2^-1029, below which only the key of zero is left. */
const TINY: f64 = reinterpret<f64>((<u64>1) << 45);

/** A key is the upper 19 bits; a row is what shares sign and exponent, 128 keys. */
const KEY_SHIFT: u64 = 45;
const ROW_SHIFT: u64 = 52;
const NEGATIVE_KEYS: u32 = 0x40000;
const KEYS_PER_ROW: u32 = 128;
/** Bytes of a row: eight 64-bit sums, see {@link count}. */
const ROW_BYTES: usize = 64;

let nan: u32 = 0;
let posInf: u32 = 0;
let negInf: u32 = 0;
let subnormals: u32 = 0;
/** Subnormals that share the upper 19 bits of a zero. */
let tinyPositive: u32 = 0;
let tinyNegative: u32 = 0;
/** Finite numbers: the extremes, and those next to zero. Infinite where there is none. */
let highest: f64 = f64.NEGATIVE_INFINITY;
let lowest: f64 = f64.POSITIVE_INFINITY;
let aboveZero: f64 = f64.POSITIVE_INFINITY;
let belowZero: f64 = f64.NEGATIVE_INFINITY;

/** Lanes of all ones, as the results of comparisons are, counted. */
function ones(sums: v128): u32 {
  return <u32>-sumPair(sums);
}

/** Counts what is rare in a block, and finds the extremes of what is left. */
function judgeRare(from: usize, end: usize): void {
  const zero = f64x2.splat(0);
  const infinity = f64x2.splat(f64.POSITIVE_INFINITY);
  const minusInfinity = f64x2.splat(f64.NEGATIVE_INFINITY);
  const normal = f64x2.splat(MIN_NORMAL);
  const tiny = f64x2.splat(TINY);
  let nans = zero;
  let posInfs = zero;
  let negInfs = zero;
  let subnormalOnes = zero;
  let tinyPositives = zero;
  let tinyNegatives = zero;
  let low = infinity;
  let high = minusInfinity;
  for (let at = from; at < end; at += 16) {
    const two = v128.load(at);
    const magnitude = f64x2.abs(two);
    const positive = f64x2.gt(two, zero);
    const negative = f64x2.lt(two, zero);
    const finite = f64x2.lt(magnitude, infinity);
    nans = i64x2.add(nans, f64x2.ne(two, two));
    posInfs = i64x2.add(posInfs, f64x2.eq(two, infinity));
    negInfs = i64x2.add(negInfs, f64x2.eq(two, minusInfinity));
    subnormalOnes = i64x2.add(subnormalOnes, v128.and(f64x2.lt(magnitude, normal), v128.or(positive, negative)));
    tinyPositives = i64x2.add(tinyPositives, v128.and(f64x2.lt(magnitude, tiny), positive));
    tinyNegatives = i64x2.add(tinyNegatives, v128.and(f64x2.lt(magnitude, tiny), negative));
    low = f64x2.pmin(low, v128.bitselect(two, infinity, finite));
    high = f64x2.pmax(high, v128.bitselect(two, minusInfinity, finite));
  }
  nan += ones(nans);
  posInf += ones(posInfs);
  negInf += ones(negInfs);
  subnormals += ones(subnormalOnes);
  tinyPositive += ones(tinyPositives);
  tinyNegative += ones(tinyNegatives);
  noteExtremes(low, high);
}

function noteExtremes(low: v128, high: v128): void {
  lowest = min(lowest, min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1)));
  highest = max(highest, max(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)));
}

/** Finds the extremes of a block, and what is rare if any is in it. */
function judge(from: usize, end: usize): void {
  const zero = f64x2.splat(0);
  const infinity = f64x2.splat(f64.POSITIVE_INFINITY);
  const minusInfinity = f64x2.splat(f64.NEGATIVE_INFINITY);
  const exponentBits = i64x2.splat(EXPONENT_BITS);
  let low = infinity;
  let high = minusInfinity;
  let above = infinity;
  let below = minusInfinity;
  let exponents = zero;
  for (let at = from; at < end; at += 16) {
    const two = v128.load(at);
    // None of these takes a NaN.
    low = f64x2.pmin(low, two);
    high = f64x2.pmax(high, two);
    above = f64x2.pmin(above, v128.bitselect(two, infinity, f64x2.gt(two, zero)));
    below = f64x2.pmax(below, v128.bitselect(two, minusInfinity, f64x2.lt(two, zero)));
    exponents = i32x4.max_s(exponents, v128.and(two, exponentBits));
  }
  const leastAbove = min(f64x2.extract_lane(above, 0), f64x2.extract_lane(above, 1));
  const leastBelow = max(f64x2.extract_lane(below, 0), f64x2.extract_lane(below, 1));
  aboveZero = min(aboveZero, leastAbove);
  belowZero = max(belowZero, leastBelow);
  if (maxSigned(exponents) === INFINITY_WORD || leastAbove < MIN_NORMAL || leastBelow > -MIN_NORMAL) {
    judgeRare(from, end);
  } else {
    noteExtremes(low, high);
  }
}

/**
 * Counts by key and sums by row. Of the mantissa m = a·2^34 + b·2^17 + c (a has 18 bits, b and c 17) a row holds the sums of
 * the upper 20 and lower 32 bits, then of the limbs of its square: a², 2ab, 2ac + b², 2bc, c². Each limb is below 2^37.
 *
 * NaN and infinities are taken in too: their entries are thrown away when drained.
 */
function count(from: usize, end: usize): void {
  for (let at = from; at < end; at += 8) {
    const pattern = load<u64>(at);
    const entry = (<usize>(pattern >> KEY_SHIFT)) << 2;
    store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
    const row = <usize>(pattern >> ROW_SHIFT) * ROW_BYTES;
    const a = (pattern >> 34) & 0x3ffff;
    const b = (pattern >> 17) & 0x1ffff;
    const c = pattern & 0x1ffff;
    store<u64>(row, load<u64>(row, ROWS) + ((pattern >> 32) & 0xfffff), ROWS);
    store<u64>(row, load<u64>(row, ROWS + 8) + (pattern & 0xffffffff), ROWS + 8);
    store<u64>(row, load<u64>(row, ROWS + 16) + a * a, ROWS + 16);
    store<u64>(row, load<u64>(row, ROWS + 24) + 2 * a * b, ROWS + 24);
    store<u64>(row, load<u64>(row, ROWS + 32) + (2 * a * c + b * b), ROWS + 32);
    store<u64>(row, load<u64>(row, ROWS + 40) + 2 * b * c, ROWS + 40);
    store<u64>(row, load<u64>(row, ROWS + 48) + c * c, ROWS + 48);
  }
}

/** Takes in `numbers` float64 at `from`; at most 2^26 between two drains. */
export function scanFloat64(from: usize, numbers: u32): void {
  const whole = from + ((<usize>numbers & ~1) << 3);
  for (let at = from; at < whole; at += BLOCK) {
    const end = min(at + BLOCK, whole);
    judge(at, end);
    count(at, end);
  }
  if ((numbers & 1) > 0) {
    v128.store(LAST_VECTORS, i64x2.splat(0));
    store<u64>(LAST_VECTORS, load<u64>(whole));
    // The zero behind the end changes no extreme that counts, and is not counted.
    judge(LAST_VECTORS, LAST_VECTORS + 16);
    count(LAST_VECTORS, LAST_VECTORS + 8);
  }
}

/** Takes the zeros out of the entry that they share with the subnormals next to them. Returns how many. */
function takeZeros(entry: usize, tiny: u32): u64 {
  const zeros = load<u32>(entry) - tiny;
  store<u32>(entry, tiny);
  return zeros;
}

/** Lists one key, if anything has it, and empties it. Returns its count. */
function takeKey(raw: u32, key: u32, found: i32): u32 {
  const entry = TABLE + ((<usize>raw) << 2);
  const times = load<u32>(entry);
  if (times > 0) {
    store<u32>(KEYS + ((<usize>found) << 2), key);
    store<f64>(COUNTS + ((<usize>found) << 3), <f64>times);
    store<u32>(entry, 0);
  }
  return times;
}

/** Lists a row that has numbers, with its number and how many they are for the eighth sum, and empties it. */
function takeRow(row: u32, numbers: u64): void {
  const from = ROWS + <usize>row * ROW_BYTES;
  const to = SUMS + <usize>load<u64>(LIMBS) * ROW_BYTES;
  memory.copy(to, from, ROW_BYTES);
  store<u64>(to, ((<u64>row) << 48) | numbers, 56);
  memory.fill(from, 0, ROW_BYTES);
  addTo(LIMBS, 1);
}

function takeNegatives(firstRow: i32, lastRow: i32): i32 {
  let found: i32 = 0;
  for (let row = firstRow; row >= lastRow; row -= 1) {
    let numbers: u64 = 0;
    for (let raw = row * KEYS_PER_ROW + KEYS_PER_ROW - 1; raw >= row * KEYS_PER_ROW; raw -= 1) {
      const times = takeKey(raw, 2 * NEGATIVE_KEYS - 1 - raw, found);
      found += i32(times > 0);
      numbers += times;
    }
    if (numbers > 0) {
      takeRow(row, numbers);
    }
  }
  return found;
}

function takePositives(firstRow: u32, lastRow: u32, begin: i32): i32 {
  let found = begin;
  for (let row = firstRow; row <= lastRow; row += 1) {
    let numbers: u64 = 0;
    for (let raw = row * KEYS_PER_ROW; raw < (row + 1) * KEYS_PER_ROW; raw += 1) {
      const times = takeKey(raw, NEGATIVE_KEYS + raw, found);
      found += i32(times > 0);
      numbers += times;
    }
    if (numbers > 0) {
      takeRow(row, numbers);
    }
  }
  return found;
}

/** Empties what NaN and infinities of one sign left behind. */
function clearNonFinite(row: u32): void {
  memory.fill(TABLE + ((<usize>row * KEYS_PER_ROW) << 2), 0, KEYS_PER_ROW << 2);
  memory.fill(ROWS + <usize>row * ROW_BYTES, 0, ROW_BYTES);
}

/**
 * Lists counts by order-preserving key, the finite nonzero numbers alone, and sums by row. Everything is empty afterwards.
 * Returns how many keys.
 */
export function drainFloat64(): i32 {
  clearTally();
  store<u64>(NAN, nan);
  store<u64>(POS_INF, posInf);
  store<u64>(NEG_INF, negInf);
  store<u64>(SUBNORMALS, subnormals);
  const negZeros = takeZeros(TABLE + (NEGATIVE_KEYS << 2), tinyNegative);
  store<u64>(NEG_ZEROS, negZeros);
  store<u64>(ZEROS, negZeros + takeZeros(TABLE, tinyPositive));
  let found: i32 = 0;
  if (lowest < 0) {
    const far = reinterpret<u64>(lowest);
    const near = reinterpret<u64>(belowZero);
    enterReach(FAR_NEGATIVE, NEAR_NEGATIVE, far & ~SIGN, near & ~SIGN);
    found = takeNegatives(<i32>(far >> ROW_SHIFT), <i32>(near >> ROW_SHIFT));
  }
  if (highest > 0) {
    const far = reinterpret<u64>(highest);
    const near = reinterpret<u64>(aboveZero);
    enterReach(FAR_POSITIVE, NEAR_POSITIVE, far, near);
    found = takePositives(<u32>(near >> ROW_SHIFT), <u32>(far >> ROW_SHIFT), found);
  }
  if ((nan | posInf | negInf) > 0) {
    clearNonFinite(0x7ff);
    clearNonFinite(0xfff);
  }
  nan = 0;
  posInf = 0;
  negInf = 0;
  subnormals = 0;
  tinyPositive = 0;
  tinyNegative = 0;
  highest = f64.NEGATIVE_INFINITY;
  lowest = f64.POSITIVE_INFINITY;
  aboveZero = f64.POSITIVE_INFINITY;
  belowZero = f64.NEGATIVE_INFINITY;
  return found;
}
