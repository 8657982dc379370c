import { TALLY } from './layout';

/**
 * What a drain tells of wide numbers, 64 bits an entry. `far` and `near` are the largest and smallest magnitudes above zero of
 * the finite numbers of a sign; 0 where there is none. Of floats they are bit patterns.
 */
export const NAN: usize = TALLY;
export const POS_INF: usize = TALLY + 8;
export const NEG_INF: usize = TALLY + 16;
export const ZEROS: usize = TALLY + 24;
export const NEG_ZEROS: usize = TALLY + 32;
export const SUBNORMALS: usize = TALLY + 40;
export const FAR_POSITIVE: usize = TALLY + 48;
export const NEAR_POSITIVE: usize = TALLY + 56;
export const FAR_NEGATIVE: usize = TALLY + 64;
export const NEAR_NEGATIVE: usize = TALLY + 72;
/** Of integers: limbs of the sum, then of the sum of squares. Of float64: rows in {@link SUMS}. */
export const LIMBS: usize = TALLY + 80;
const END: usize = TALLY + 160;

/** Zeroes every entry. */
export function clearTally(): void {
  memory.fill(TALLY, 0, END - TALLY);
}

/** Adds to an entry. */
export function addTo(entry: usize, count: u64): void {
  store<u64>(entry, load<u64>(entry) + count);
}

/** Enters the magnitudes of one sign, of which there is at least one. */
export function enterReach(far: usize, near: usize, largest: u64, smallest: u64): void {
  store<u64>(far, largest);
  store<u64>(near, smallest);
}
