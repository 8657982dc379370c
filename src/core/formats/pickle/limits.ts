/** Bounds of one run of the pickle machine. Every one ends the run with `limit`, what came before kept. */
export interface PickleLimits {
  /** Opcodes carried out. */
  readonly steps: number;
  /** Nodes made. */
  readonly nodes: number;
  /** Objects on the stack at once. */
  readonly stack: number;
  /** Marks open at once, which is how deep a pickler can have been inside containers. */
  readonly marks: number;
  /** Tuples of one directly inside one another. */
  readonly nesting: number;
  /** Slots of the memo in use. */
  readonly memo: number;
}

/**
 * - steps: a checkpoint takes about 35 opcodes a tensor, so this is a million tensors; a second or two of work.
 * - nodes: FORMATS.md 8; at 50 to 100 bytes each, what a default heap of Node still holds.
 * - stack: FORMATS.md 8. A tuple lies on the stack whole before it is made, dicts and lists come in batches of 1000.
 * - marks, nesting: CPython's pickler recurses and ends at about 1000 levels unless its limit was raised.
 * - memo: FORMATS.md 8. Numbers of slots are not bounded: an unused slot takes no memory.
 */
export const PICKLE_LIMITS: PickleLimits = {
  steps: 40_000_000,
  nodes: 10_000_000,
  stack: 1_000_000,
  marks: 10_000,
  nesting: 10_000,
  memo: 5_000_000,
};

/** Longest text decoded, in bytes (FORMATS.md 8): a string of V8 takes at most 2^29 units. Bytes objects are not copied. */
export const LONGEST_TEXT = 64 * 2 ** 20;

/** Longest number in text, in characters; CPython itself refuses decimal integers of more than 4300 digits. */
export const LONGEST_NUMBER_TEXT = 2 ** 16;

/** Longest LONG1 or LONG4, in bytes: half a million bits, far beyond any number a program would save. */
export const LONGEST_LONG = 2 ** 16;

/** Wrong frames and misuses kept in full; a stream made to produce millions is counted, not stored. */
export const MOST_KEPT_REMARKS = 100;

/** How deep pickles inside the byte strings of pickles are followed (FORMATS.md 8). */
export const DEEPEST_NESTED_PICKLE = 3;

/** Pickles one after another that are followed; legacy PyTorch files stack five. */
export const MOST_STACKED_PICKLES = 100;

/** Imports of one grade reported one by one; the rest are counted in one finding. */
export const MOST_REPORTED_IMPORTS = 1000;

/** Steps after which unknown bytes that decoded so far without fault count as a pickle. */
export const SNIFF_STEPS = 100_000;
