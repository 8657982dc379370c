import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeCounts, noCounts, sparseCounts, totalCount } from '../../../src/core/distribution/sparse-counts.ts';

const table = fc.array(fc.nat(3), { minLength: 8, maxLength: 8 });

describe('sparse counts', () => {
  test('keep the nonzero entries, ascending', () => {
    const counts = sparseCounts([0, 5, 0, 2 ** 40]);
    expect([...counts.keys]).toEqual([1, 3]);
    expect([...counts.counts]).toEqual([5, 2 ** 40]);
    expect(totalCount(counts)).toBe(2 ** 40 + 5);
  });

  test('merge as the tables add up', () => {
    fc.assert(
      fc.property(table, table, (a, b) => {
        const merged = mergeCounts(sparseCounts(a), sparseCounts(b));
        expect(merged).toEqual(sparseCounts(a.map((count, key) => count + (b[key] ?? 0))));
        // Exact size: a structured clone carries nothing else along.
        expect(merged.keys.buffer.byteLength).toBe(merged.keys.byteLength);
        expect(merged.counts.buffer.byteLength).toBe(merged.counts.byteLength);
      }),
    );
  });

  test('of nothing', () => {
    expect(totalCount(mergeCounts(noCounts(), noCounts()))).toBe(0);
  });
});
