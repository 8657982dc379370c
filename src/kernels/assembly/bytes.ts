import { sumUnsigned } from './lanes';
import { COUNTS, KEYS, TABLE } from './layout';

function countOne(at: usize): void {
  const entry = (<usize>load<u8>(at)) << 5;
  store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
}

/** Counts 16 bytes in eight lanes, so that alternating ones do not wait for their own last store. */
function countVector(from: usize): void {
  for (let at = from; at < from + 16; at += 8) {
    let entry = (<usize>load<u8>(at)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
    entry = (<usize>load<u8>(at, 1)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE + 4) + 1, TABLE + 4);
    entry = (<usize>load<u8>(at, 2)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE + 8) + 1, TABLE + 8);
    entry = (<usize>load<u8>(at, 3)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE + 12) + 1, TABLE + 12);
    entry = (<usize>load<u8>(at, 4)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE + 16) + 1, TABLE + 16);
    entry = (<usize>load<u8>(at, 5)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE + 20) + 1, TABLE + 20);
    entry = (<usize>load<u8>(at, 6)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE + 24) + 1, TABLE + 24);
    entry = (<usize>load<u8>(at, 7)) << 5;
    store<u32>(entry, load<u32>(entry, TABLE + 28) + 1, TABLE + 28);
  }
}

/** Counts `count` bytes at `from`; at most 2^32 − 1 between two drains. */
export function countBytes(from: usize, count: u32): void {
  const whole = from + (<usize>count & ~15);
  const end = from + <usize>count;
  let at = from;
  for (; at < whole; at += 16) {
    if (v128.any_true(v128.xor(v128.load(at), v128.load8_splat(at)))) {
      countVector(at);
    } else {
      // A run of one value.
      const entry = (<usize>load<u8>(at)) << 5;
      store<u32>(entry, load<u32>(entry, TABLE) + 16, TABLE);
    }
  }
  for (; at < end; at += 1) {
    countOne(at);
  }
}

/** Lists the counts by ascending byte; the table is empty afterwards. Returns how many. */
export function drainBytes(): i32 {
  let found: i32 = 0;
  for (let byte: u32 = 0; byte < 256; byte += 1) {
    const entry = (<usize>byte) << 5;
    const count = sumUnsigned(v128.load(entry, TABLE)) + sumUnsigned(v128.load(entry, TABLE + 16));
    if (count > 0) {
      store<u32>(KEYS + ((<usize>found) << 2), byte);
      store<f64>(COUNTS + ((<usize>found) << 3), <f64>count);
      found += 1;
    }
  }
  memory.fill(TABLE, 0, 256 << 5);
  return found;
}
