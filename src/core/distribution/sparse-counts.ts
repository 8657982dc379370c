/** How many elements have which key; keys without elements are left out. */
export interface SparseCounts {
  /** Ascending, each once. */
  readonly keys: Uint32Array;
  /** One per key, positive integers below 2^53. */
  readonly counts: Float64Array;
}

/** No elements. */
export const noCounts = (): SparseCounts => ({ keys: new Uint32Array(0), counts: new Float64Array(0) });

/** Copies the first `length` entries, so that the arrays own exactly what they show. */
export const exactCounts = (keys: Uint32Array, counts: Float64Array, length: number): SparseCounts => ({
  keys: keys.slice(0, length),
  counts: counts.slice(0, length),
});

/** The nonzero entries of a table indexed by key. */
export const sparseCounts = (table: ArrayLike<number>): SparseCounts => {
  const keys: number[] = [];
  const counts: number[] = [];
  for (let key = 0; key < table.length; key += 1) {
    const count = table[key] ?? 0;
    if (count > 0) {
      keys.push(key);
      counts.push(count);
    }
  }
  return { keys: Uint32Array.from(keys), counts: Float64Array.from(counts) };
};

/** Takes keys of 2·`bits` bits apart: the counts of their lower and upper halves, together, by half. */
export const splitCounts = ({ keys, counts }: SparseCounts, bits: number): Float64Array => {
  const table = new Float64Array(2 ** bits);
  const mask = 2 ** bits - 1;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? 0;
    const count = counts[index] ?? 0;
    table[key & mask] = (table[key & mask] ?? 0) + count;
    table[key >>> bits] = (table[key >>> bits] ?? 0) + count;
  }
  return table;
};

/** The counts of both together. Returns one of its arguments when the other is empty. */
export const mergeCounts = (a: SparseCounts, b: SparseCounts): SparseCounts => {
  if (a.keys.length === 0 || b.keys.length === 0) {
    return a.keys.length === 0 ? b : a;
  }
  const keys = new Uint32Array(a.keys.length + b.keys.length);
  const counts = new Float64Array(keys.length);
  const end = Number.POSITIVE_INFINITY;
  let length = 0;
  for (let left = 0, right = 0; left < a.keys.length || right < b.keys.length; length += 1) {
    const leftKey = a.keys[left] ?? end;
    const rightKey = b.keys[right] ?? end;
    let count = 0;
    if (leftKey <= rightKey) {
      count += a.counts[left] ?? 0;
      left += 1;
    }
    if (rightKey <= leftKey) {
      count += b.counts[right] ?? 0;
      right += 1;
    }
    keys[length] = Math.min(leftKey, rightKey);
    counts[length] = count;
  }
  return exactCounts(keys, counts, length);
};

/** Elements in all. */
export const totalCount = ({ counts }: SparseCounts): number => counts.reduce((sum, count) => sum + count, 0);

/** Keys up to which merging two by two is quicker than a table of all keys. */
const FEW_KEYS = 1 << 14;

/** The counts of any number of lists together. */
export const mergeAllCounts = (lists: readonly SparseCounts[]): SparseCounts => {
  const keys = lists.reduce((sum, list) => sum + list.keys.length, 0);
  if (lists.length <= 2 || keys < FEW_KEYS) {
    return lists.reduce(mergeCounts, noCounts());
  }
  const top = lists.reduce((most, list) => Math.max(most, list.keys.at(-1) ?? 0), 0);
  const table = new Float64Array(top + 1);
  for (const list of lists) {
    for (let at = 0; at < list.keys.length; at += 1) {
      const key = list.keys[at] ?? 0;
      table[key] = (table[key] ?? 0) + (list.counts[at] ?? 0);
    }
  }
  return sparseCounts(table);
};
