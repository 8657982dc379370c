import { describe, expect, it } from 'vitest';
import { addInts, buildTree, DEPTH_LIMIT, type TreeNode } from '../../../../src/renderer/features/tree/build-tree.ts';
import { countMatches, flattenTree, foldersAbove } from '../../../../src/renderer/features/tree/flatten-tree.ts';
import { makeRow, makeRows } from '../../tensor-row-maker.ts';

/** A tree as nested labels. */
const outline = (nodes: readonly TreeNode[]): unknown =>
  nodes.map((node) => (node.kind === 'leaf' ? node.label : [node.label, outline(node.children)]));

describe('buildTree', () => {
  it('groups by dotted path in natural order', () => {
    const { roots, order } = buildTree(makeRows('m.l.10.a', 'm.l.10.b', 'm.l.2.a', 'm.l.2.b', 'm.x', 'step'));
    expect(outline(roots)).toEqual([
      [
        'm',
        [
          [
            'l',
            [
              ['2', ['a', 'b']],
              ['10', ['a', 'b']],
            ],
          ],
          'x',
        ],
      ],
      'step',
    ]);
    expect(order.map(({ id }) => id)).toEqual([2, 3, 0, 1, 4, 5]);
  });

  it('joins folders with a single child', () => {
    expect(outline(buildTree(makeRows('a.b.c.x', 'a.b.c.y')).roots)).toEqual([['a.b.c', ['x', 'y']]]);
    expect(outline(buildTree(makeRows('a.down.weight', 'a.up.weight')).roots)).toEqual([
      ['a', ['down.weight', 'up.weight']],
    ]);
  });

  it('adds up parameters and bytes, and counts numbered layers', () => {
    const { roots } = buildTree(makeRows('l.0.a', 'l.0.b', 'l.1.a', 'l.1.b'));
    expect(roots[0]).toMatchObject({ path: 'l', start: 0, end: 4, parameters: 8, bytes: 32, repeats: 2 });
  });

  it('keeps a name that is folder and tensor, equal names, and empty parts', () => {
    const { roots } = buildTree(makeRows('a', 'a.b', 'a.c', 'a.b', '', '.x', '.y'));
    expect(outline(roots)).toEqual(['', ['', ['x', 'y']], 'a', ['a', ['b', 'b', 'c']]]);
  });

  it('does not follow names with a million dots', () => {
    const name = 'd.'.repeat(1_000_000);
    const { roots } = buildTree(makeRows(name, `${name}x`));
    let depth = 0;
    for (let nodes = roots; nodes.length > 0; depth += 1) {
      const [first] = nodes;
      nodes = first?.kind === 'folder' ? first.children : [];
    }
    expect(depth).toBeLessThanOrEqual(DEPTH_LIMIT);
  });

  it('keeps names like __proto__ as names', () => {
    expect(outline(buildTree(makeRows('__proto__.a', '__proto__.b')).roots)).toEqual([['__proto__', ['a', 'b']]]);
  });

  it('builds 150,000 tensors quickly', () => {
    const rows = Array.from({ length: 150_000 }, (_, id) => makeRow(id, `model.layers.${id % 500}.part${id}.weight`));
    const started = performance.now();
    expect(buildTree(rows).order).toHaveLength(150_000);
    expect(performance.now() - started).toBeLessThan(12_000);
  });
});

describe('addInts', () => {
  it('stays exact beyond 2^53', () => {
    expect(addInts(Number.MAX_SAFE_INTEGER, 2)).toBe(9_007_199_254_740_993n);
    expect(addInts(1, 2)).toBe(3);
    expect(addInts(1n, 2)).toBe(3n);
  });
});

describe('flattenTree', () => {
  const tree = buildTree(makeRows('m.a.x', 'm.a.y', 'm.b', 'n'));
  const labels = (open: readonly string[], before?: Uint32Array): readonly string[] =>
    flattenTree(tree, ({ path }) => open.includes(path), before).map(({ node, level }) => `${level} ${node.label}`);

  it('lists what is open', () => {
    expect(labels([])).toEqual(['1 m', '1 n']);
    expect(labels(['m', 'm.a'])).toEqual(['1 m', '2 a', '3 x', '3 y', '2 b', '1 n']);
  });

  it('lists only matches and what is above them', () => {
    const before = countMatches(tree, (place) => tree.order[place]?.name === 'm.a.y');
    expect(labels(['m', 'm.a'], before)).toEqual(['1 m', '2 a', '3 y']);
  });

  it('knows places among siblings', () => {
    expect(flattenTree(tree, () => true, undefined).at(-1)).toMatchObject({ position: 2, siblings: 2 });
  });

  it('finds the folders above a tensor', () => {
    expect(foldersAbove(tree, 1)).toEqual(['m', 'm.a']);
    expect(foldersAbove(tree, 3)).toEqual([]);
  });
});
