import { sumUnsigned } from './lanes';
import { COUNTS, KEYS, TABLE } from './layout';
import { ZEROS } from './tally';

/** What integers of 32 and 64 bits share: counts by the upper 16 bits of the float32 that is nearest. */

/** Takes the count of zero, which gets no key. */
export function takeZeros(): void {
  store<u64>(ZEROS, sumUnsigned(v128.load(TABLE)));
  v128.store(TABLE, i32x4.splat(0));
}

/** Lists one entry, if there is anything in it, and empties it. */
function takeEntry(raw: u32, key: u32, found: i32): i32 {
  const entry = TABLE + ((<usize>raw) << 4);
  const lanes = v128.load(entry);
  if (!v128.any_true(lanes)) {
    return found;
  }
  store<u32>(KEYS + ((<usize>found) << 2), key);
  store<f64>(COUNTS + ((<usize>found) << 3), <f64>sumUnsigned(lanes));
  v128.store(entry, i32x4.splat(0));
  return found + 1;
}

function rawKey(magnitude: f32): u32 {
  return reinterpret<u32>(magnitude) >> 16;
}

/** Lists the counts of numbers below zero by order-preserving key, and empties them. Returns how many. */
export function takeNegatives(far: f32, near: f32): i32 {
  let found: i32 = 0;
  const last = <i32>rawKey(near);
  for (let raw = <i32>rawKey(far); raw >= last; raw -= 1) {
    found = takeEntry(0x8000 | raw, 0x7fff - raw, found);
  }
  return found;
}

/** Lists the counts of numbers above zero behind `found` others, and empties them. Returns how many there are now. */
export function takePositives(near: f32, far: f32, found: i32): i32 {
  for (let raw = rawKey(near); raw <= rawKey(far); raw += 1) {
    found = takeEntry(raw, 0x8000 | raw, found);
  }
  return found;
}
