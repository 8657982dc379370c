import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FolderTree, folderOrder, folderTree } from '../../../src/core/scan/folder-tree.ts';

const treeOf = (names: readonly string[]): FolderTree => folderTree(names.length, (id) => names[id] ?? '');

describe('folders of names', () => {
  it('are those with several children, and the whole', () => {
    const names = [
      'model.embed.weight',
      'model.h.0.q.weight',
      'model.h.0.q.bias',
      'model.h.0.o.weight',
      'model.h.1.q.weight',
      'head',
    ];
    const tree = treeOf(names);
    expect(tree.paths).toEqual(['', 'model', 'model.h', 'model.h.0', 'model.h.0.q']);
    expect([...tree.parents]).toEqual([-1, 0, 1, 2, 3]);
    expect([...tree.folderOf]).toEqual([1, 4, 4, 3, 2, 0]);
    expect([...tree.children]).toEqual([2, 2, 2, 2, 2]);
  });

  it('one tensor, or none, makes the whole alone', () => {
    expect(treeOf(['a.b.c'])).toMatchObject({ paths: [''], children: Uint32Array.of(1) });
    expect(treeOf([])).toMatchObject({ paths: [''], children: Uint32Array.of(0) });
  });

  it('keep equal and hostile names', () => {
    expect(treeOf(['x', 'x', 'x.y', 'x.z']).paths).toEqual(['', 'x']);
    expect(treeOf(['__proto__.a', '__proto__.b', '', '.', '..']).paths).toEqual(['', '__proto__', '']);
    const deep = '.'.repeat(1_000_000);
    expect(treeOf([`${deep}a`, `${deep}b`]).paths).toHaveLength(2);
  });

  it('every tensor is in the innermost folder whose path its name begins with', () => {
    const part = fc.constantFrom('a', 'b', 'c', '0', '1');
    fc.assert(
      fc.property(fc.array(fc.array(part, { minLength: 1, maxLength: 5 }), { maxLength: 30 }), (parts) => {
        const names = parts.map((own) => own.join('.'));
        const tree = treeOf(names);
        const counted = new Uint32Array(tree.paths.length);
        names.forEach((name, id) => {
          const folder = tree.folderOf[id] ?? -1;
          const holds = (path: string): boolean => path === '' || name.startsWith(`${path}.`);
          const longest = tree.paths
            .filter(holds)
            .reduce((best, path) => (path.length > best.length ? path : best), '');
          expect(tree.paths[folder]).toBe(longest);
          counted[folder] = (counted[folder] ?? 0) + 1;
        });
        tree.parents.forEach((parent, folder) => {
          expect(parent).toBeLessThan(folder);
          if (parent >= 0) {
            counted[parent] = (counted[parent] ?? 0) + 1;
          }
        });
        expect(counted).toEqual(tree.children);
      }),
    );
  });
});

it('the order of folders finishes each before the next begins', () => {
  const names = ['a.0.x', 'b.0.x', 'a.1.x', 'b.1.x', 'a.0.y', 'c', 'a.1.y', 'b.0.y'];
  const tree = treeOf(names);
  const order = [...folderOrder(tree)].map((id) => names[id]);
  expect([...order].sort()).toEqual([...names].sort());
  expect(order).toEqual(['c', 'a.0.x', 'a.0.y', 'a.1.x', 'a.1.y', 'b.1.x', 'b.0.x', 'b.0.y']);
});
