import { takeNegatives, takePositives, takeZeros } from './integers';
import { TABLE } from './layout';
import { clearTally, enterReach, FAR_NEGATIVE, FAR_POSITIVE, LIMBS, NEAR_NEGATIVE, NEAR_POSITIVE } from './tally';

const LOW: u64 = 0xffffffff;

/**
 * A number is h·2^32 + l; sums of their upper and lower 32 bits, and of those of h·h, h·l and l·l, are exact for 2^31 numbers.
 * The upper ones are signed where the numbers are.
 */
let sumLow: u64 = 0;
let sumHigh: u64 = 0;
let lowLow: u64 = 0;
let lowLowHigh: u64 = 0;
let cross: u64 = 0;
let crossHigh: u64 = 0;
let highHigh: u64 = 0;
let highHighHigh: u64 = 0;
/** The largest magnitude of a sign, 0 for none; `near` is the smallest, less 1. */
let farPositive: u64 = 0;
let farNegative: u64 = 0;
let nearPositive: u64 = u64.MAX_VALUE;
let nearNegative: u64 = u64.MAX_VALUE;

function addLargeSquare<T>(value: T): void {
  const high = <T>(value >> 32);
  const low = <T>(<u64>value & LOW);
  const highSquare = <u64>(high * high);
  const product = <T>(high * low);
  const lowSquare = <u64>low * <u64>low;
  highHigh += highSquare & LOW;
  highHighHigh += highSquare >> 32;
  cross += <u64>product & LOW;
  crossHigh += <u64>(product >> 32);
  lowLow += lowSquare & LOW;
  lowLowHigh += lowSquare >> 32;
}

function scan<T>(from: usize, numbers: u32): void {
  const end = from + ((<usize>numbers) << 3);
  let greatest: T = 0;
  let least: T = 0;
  let above: u64 = u64.MAX_VALUE;
  let below: u64 = u64.MAX_VALUE;
  let lows: u64 = 0;
  let highs: u64 = 0;
  let squareLows: u64 = 0;
  let squareHighs: u64 = 0;
  for (let at = from; at < end; at += 8) {
    const value = load<T>(at);
    greatest = max(greatest, value);
    // Zero, and of signed numbers those of the other sign, wrap around to more than any of the right one.
    above = min(above, <u64>value - 1);
    if (isSigned<T>()) {
      least = min(least, value);
      below = min(below, ~(<u64>value));
    }
    lows += <u64>value & LOW;
    highs += <u64>(value >> 32);
    if (isSigned<T>() ? <i64>value === <i64>(<i32>value) : <u64>value <= LOW) {
      const square = <u64>(value * value);
      squareLows += square & LOW;
      squareHighs += square >> 32;
    } else {
      addLargeSquare<T>(value);
    }
    // By way of the nearest float64, as everywhere.
    const entry = (reinterpret<u32>(<f32>(<f64>value)) >> 16) << 4;
    store<u32>(entry, load<u32>(entry, TABLE) + 1, TABLE);
  }
  sumLow += lows;
  sumHigh += highs;
  lowLow += squareLows;
  lowLowHigh += squareHighs;
  farPositive = max(farPositive, <u64>greatest);
  farNegative = max(farNegative, 0 - <u64>least);
  nearPositive = min(nearPositive, above);
  nearNegative = min(nearNegative, below);
}

/** Takes in `numbers` signed integers at `from`; at most 2^31 between two drains. */
export function scanSigned64(from: usize, numbers: u32): void {
  scan<i64>(from, numbers);
}

/** Takes in `numbers` unsigned integers at `from`; at most 2^31 between two drains. */
export function scanUnsigned64(from: usize, numbers: u32): void {
  scan<u64>(from, numbers);
}

/** Lists the counts by order-preserving key; everything is empty afterwards. Returns how many. */
export function drainIntegers64(): i32 {
  clearTally();
  store<u64>(LIMBS, sumLow);
  store<u64>(LIMBS, sumHigh, 8);
  store<u64>(LIMBS, lowLow, 16);
  store<u64>(LIMBS, lowLowHigh, 24);
  store<u64>(LIMBS, cross, 32);
  store<u64>(LIMBS, crossHigh, 40);
  store<u64>(LIMBS, highHigh, 48);
  store<u64>(LIMBS, highHighHigh, 56);
  takeZeros();
  let found: i32 = 0;
  if (farNegative > 0) {
    const near = nearNegative + 1;
    enterReach(FAR_NEGATIVE, NEAR_NEGATIVE, farNegative, near);
    found = takeNegatives(<f32>(<f64>farNegative), <f32>(<f64>near));
  }
  if (farPositive > 0) {
    const near = nearPositive + 1;
    enterReach(FAR_POSITIVE, NEAR_POSITIVE, farPositive, near);
    found = takePositives(<f32>(<f64>near), <f32>(<f64>farPositive), found);
  }
  sumLow = 0;
  sumHigh = 0;
  lowLow = 0;
  lowLowHigh = 0;
  cross = 0;
  crossHigh = 0;
  highHigh = 0;
  highHighHigh = 0;
  farPositive = 0;
  farNegative = 0;
  nearPositive = u64.MAX_VALUE;
  nearNegative = u64.MAX_VALUE;
  return found;
}
