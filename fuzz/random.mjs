/**
 * A small seeded generator (mulberry32): the same seed gives the same numbers everywhere.
 *
 * @param {number} seed any 32-bit integer
 */
export const createRandom = (seed) => {
  let state = seed >>> 0;
  /** A number in [0, 1). */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** An integer in [0, end). */
  const below = (end) => Math.floor(next() * end);
  const pick = (items) => items[below(items.length)];
  const chance = (probability) => next() < probability;
  return { next, below, pick, chance };
};
