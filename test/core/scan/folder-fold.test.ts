import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DistributionData } from '../../../src/core/distribution/distribution.ts';
import { MergedDistribution } from '../../../src/core/distribution/merged-distribution.ts';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { FolderFold, type FolderStats, isFloatDtype } from '../../../src/core/scan/folder-fold.ts';
import { folderTree } from '../../../src/core/scan/folder-tree.ts';

const NAMES = ['h.0.q', 'h.0.k', 'h.0.n', 'h.1.q', 'h.1.k', 'h.1.n', 'head.w', 'head.b', 'steps'];
const DTYPES = ['BF16', 'BF16', 'F32', 'BF16', 'F16', 'F32', 'F64', 'F64', 'I64'];
const DATA: readonly DistributionData[] = DTYPES.map((dtype, id) => {
  const distribution = newDistribution(dtype);
  distribution.add(Uint8Array.from({ length: 160 }, (_, at) => (id * 31 + at * 7) & 0xff));
  return distribution.toData();
});
const TREE = folderTree(NAMES.length, (id) => NAMES[id] ?? '');

const folded = (
  order: readonly number[],
  skipped: ReadonlySet<number> = new Set(),
): ReadonlyMap<string, FolderStats> => {
  const folders = new Map<string, FolderStats>();
  const fold = new FolderFold(TREE, 16, (stats) => {
    const path = stats.path ?? '';
    expect(folders.has(path)).toBe(false);
    folders.set(path, stats);
  });
  for (const id of order) {
    const data = DATA[id];
    if (skipped.has(id) || data === undefined) {
      fold.skip(id);
    } else {
      fold.add(id, data);
    }
  }
  return folders;
};

const ALL = NAMES.map((_, id) => id);

describe('figures of folders', () => {
  it('are those of all tensors below them', () => {
    const folders = folded(ALL);
    expect([...folders.keys()].sort()).toEqual(['', 'h', 'h.0', 'h.1', 'head']);
    for (const [path, stats] of folders) {
      const merged = new MergedDistribution();
      NAMES.forEach((name, id) => {
        const data = DATA[id];
        if (data !== undefined && (path === '' || name.startsWith(`${path}.`))) {
          merged.add(data);
        }
      });
      expect(stats.floats).toEqual(merged.summarise(path, 16, isFloatDtype));
      expect(stats.integers).toEqual(merged.summarise(path, 16, (info) => !isFloatDtype(info)));
      expect(stats.tensors).toBe(merged.tensors());
      expect(stats.unread).toBe(0);
    }
    expect(folders.get('h.1')?.floats?.dtype).toBe('BF16+F16+F32');
    expect(folders.get('')?.integers).toMatchObject({ dtype: 'I64', count: 20 });
    expect(folders.get('h')?.integers).toBeUndefined();
  });

  it('do not depend on the order of tensors', () => {
    const expected = folded(ALL);
    fc.assert(
      fc.property(fc.shuffledSubarray(ALL, { minLength: ALL.length }), (order) => {
        expect(folded(order)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('say how many tensors could not be read', () => {
    const folders = folded(ALL, new Set([0, 6, 7]));
    expect(folders.get('h.0')).toMatchObject({ tensors: 2, unread: 1 });
    expect(folders.get('h')).toMatchObject({ tensors: 5, unread: 1 });
    expect(folders.get('head')).toMatchObject({ tensors: 0, unread: 2, floats: undefined });
    expect(folders.get('')).toMatchObject({ tensors: 6, unread: 3 });
  });

  it('a folder is there as soon as its last tensor is, and not before', () => {
    const seen: (string | undefined)[] = [];
    const fold = new FolderFold(TREE, 4, ({ path }) => seen.push(path));
    const add = (id: number): void => fold.add(id, DATA[id] ?? expect.fail());
    add(0);
    add(1);
    expect(seen).toEqual([]);
    add(2);
    expect(seen).toEqual(['h.0']);
    [3, 4, 5].forEach(add);
    expect(seen).toEqual(['h.0', 'h.1', 'h']);
  });
});
