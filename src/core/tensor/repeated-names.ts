import { utf8Text } from '../bytes/utf8.ts';

/** Rows of one name, ascending; at least two. */
export type SameName = readonly [first: number, ...others: number[]];

/** Looks at more than this many slots a name, on average, and the names were made to collide. */
const PROBES_A_NAME = 16;

/** FNV-1a over a name's bytes, 32 bits, finished so that the low bits depend on all of them. */
const hashOf = (names: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ (names[at] ?? 0), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
};

const sameBytes = (names: Uint8Array, a: number, b: number, length: number): boolean => {
  for (let index = 0; index < length; index += 1) {
    if (names[a + index] !== names[b + index]) {
      return false;
    }
  }
  return true;
};

/** Later rows of a name, by its first row. */
class Repeats {
  readonly #later = new Map<number, number[]>();

  add(first: number, id: number): void {
    const ids = this.#later.get(first);
    if (ids === undefined) {
      this.#later.set(first, [id]);
    } else {
      ids.push(id);
    }
  }

  list(): SameName[] {
    return [...this.#later].sort(([a], [b]) => a - b).map(([first, others]) => [first, ...others]);
  }
}

/** The slow way: names as strings in a map, whose hash nobody outside can predict. */
const byText = (names: Uint8Array, ends: Uint32Array): SameName[] => {
  const firsts = new Map<string, number>();
  const repeats = new Repeats();
  ends.forEach((end, id) => {
    const name = utf8Text(names, ends[id - 1] ?? 0, end);
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, id);
    } else {
      repeats.add(first, id);
    }
  });
  return repeats.list();
};

/**
 * Finds the names that occur more than once, by their bytes: no string is made of the others. A file whose names were made
 * to collide in the hash is done the slower way instead.
 *
 * @param names names one after the other, UTF-8; row i ends at `ends[i]`.
 * @returns in the order of their first rows.
 */
export const repeatedNames = (names: Uint8Array, ends: Uint32Array): SameName[] => {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(ends.length * 2 + 2)));
  const mask = slots.length - 1;
  const repeats = new Repeats();
  let probes = ends.length * PROBES_A_NAME;
  for (let id = 0; id < ends.length; id += 1) {
    const start = ends[id - 1] ?? 0;
    const length = (ends[id] ?? 0) - start;
    for (let slot = hashOf(names, start, start + length) & mask; ; slot = (slot + 1) & mask) {
      // Slots hold ids from 1, so that 0 is an empty one.
      const other = (slots[slot] ?? 0) - 1;
      if (other < 0) {
        slots[slot] = id + 1;
        break;
      }
      const otherStart = ends[other - 1] ?? 0;
      if ((ends[other] ?? 0) - otherStart === length && sameBytes(names, start, otherStart, length)) {
        repeats.add(other, id);
        break;
      }
      probes -= 1;
      if (probes < 0) {
        return byText(names, ends);
      }
    }
  }
  return repeats.list();
};
