import { sumUnsigned } from './lanes';
import { COUNTS, KEYS, TABLE } from './layout';

/** Elements up to which it is cheaper to find out what range they cover than to walk over the whole table. */
const FEW: u32 = 16384;

let seen: u32 = 0;
/** What was counted lies in [lowPositive, highPositive] and [lowNegative, highNegative], by the pattern's top bit. */
let lowPositive: u32 = 0x8000;
let highPositive: u32 = 0;
let lowNegative: u32 = 0x10000;
let highNegative: u32 = 0x8000;

function noteOne(pattern: u32): void {
  if (pattern < 0x8000) {
    lowPositive = min(lowPositive, pattern);
    highPositive = max(highPositive, pattern);
  } else {
    lowNegative = min(lowNegative, pattern);
    highNegative = max(highNegative, pattern);
  }
}

/** Notes the four patterns that are lowest or highest with or without a top bit. */
function noteRange(from: usize, end: usize): void {
  if (from === end) {
    return;
  }
  let lowest = v128.load(from);
  let highest = lowest;
  let lowestSigned = lowest;
  let highestSigned = lowest;
  for (let at = from; at < end; at += 16) {
    const eight = v128.load(at);
    lowest = i16x8.min_u(lowest, eight);
    highest = i16x8.max_u(highest, eight);
    lowestSigned = i16x8.min_s(lowestSigned, eight);
    highestSigned = i16x8.max_s(highestSigned, eight);
  }
  noteEight(lowest);
  noteEight(highest);
  noteEight(lowestSigned);
  noteEight(highestSigned);
}

function noteEight(v: v128): void {
  noteOne(i16x8.extract_lane_u(v, 0));
  noteOne(i16x8.extract_lane_u(v, 1));
  noteOne(i16x8.extract_lane_u(v, 2));
  noteOne(i16x8.extract_lane_u(v, 3));
  noteOne(i16x8.extract_lane_u(v, 4));
  noteOne(i16x8.extract_lane_u(v, 5));
  noteOne(i16x8.extract_lane_u(v, 6));
  noteOne(i16x8.extract_lane_u(v, 7));
}

function noteEverything(): void {
  lowPositive = 0;
  highPositive = 0x7fff;
  lowNegative = 0x8000;
  highNegative = 0xffff;
}

/** Counts whole vectors: four lanes in turn, so that alternating values do not wait for their own last store. */
function countVectors(from: usize, end: usize): void {
  for (let at = from; at < end; at += 16) {
    let entry = (<usize>load<u16>(at)) << 4;
    if (v128.any_true(v128.xor(v128.load(at), v128.load16_splat(at)))) {
      store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
      entry = (<usize>load<u16>(at, 2)) << 4;
      store<u32>(entry, load<u32>(entry, TABLE + 4) + 1, TABLE + 4);
      entry = (<usize>load<u16>(at, 4)) << 4;
      store<u32>(entry, load<u32>(entry, TABLE + 8) + 1, TABLE + 8);
      entry = (<usize>load<u16>(at, 6)) << 4;
      store<u32>(entry, load<u32>(entry, TABLE + 12) + 1, TABLE + 12);
      entry = (<usize>load<u16>(at, 8)) << 4;
      store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
      entry = (<usize>load<u16>(at, 10)) << 4;
      store<u32>(entry, load<u32>(entry, TABLE + 4) + 1, TABLE + 4);
      entry = (<usize>load<u16>(at, 12)) << 4;
      store<u32>(entry, load<u32>(entry, TABLE + 8) + 1, TABLE + 8);
      entry = (<usize>load<u16>(at, 14)) << 4;
      store<u32>(entry, load<u32>(entry, TABLE + 12) + 1, TABLE + 12);
    } else {
      // A run of one value.
      store<u32>(entry, load<u32>(entry, TABLE) + 8, TABLE);
    }
  }
}

/** Counts `count` 16-bit patterns at `from`; at most 2^32 − 1 between two drains. */
export function countHalves(from: usize, count: u32): void {
  const whole = from + ((<usize>count & ~7) << 1);
  const end = from + ((<usize>count) << 1);
  if (seen > FEW || count > FEW - seen) {
    noteEverything();
  } else {
    noteRange(from, whole);
  }
  seen = max(seen, min(seen + count, FEW + 1));
  countVectors(from, whole);
  for (let at = whole; at < end; at += 2) {
    const pattern = <u32>load<u16>(at);
    const entry = (<usize>pattern) << 4;
    noteOne(pattern);
    store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
  }
}

function takeRange(low: u32, high: u32, begin: i32): i32 {
  let found = begin;
  for (let key = low; key <= high; key += 1) {
    const entry = TABLE + ((<usize>key) << 4);
    const lanes = v128.load(entry);
    if (v128.any_true(lanes)) {
      store<u32>(KEYS + ((<usize>found) << 2), key);
      store<f64>(COUNTS + ((<usize>found) << 3), <f64>sumUnsigned(lanes));
      v128.store(entry, i32x4.splat(0));
      found += 1;
    }
  }
  return found;
}

/** Lists the counts by ascending pattern; the table is empty afterwards. Returns how many. */
export function drainHalves(): i32 {
  const found = takeRange(lowNegative, highNegative, takeRange(lowPositive, highPositive, 0));
  seen = 0;
  lowPositive = 0x8000;
  highPositive = 0;
  lowNegative = 0x10000;
  highNegative = 0x8000;
  return found;
}
