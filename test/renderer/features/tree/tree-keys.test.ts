import { describe, expect, it } from 'vitest';
import { buildTree } from '../../../../src/renderer/features/tree/build-tree.ts';
import { flattenTree } from '../../../../src/renderer/features/tree/flatten-tree.ts';
import { treeAction } from '../../../../src/renderer/features/tree/tree-keys.ts';
import { makeRows } from '../../tensor-row-maker.ts';

const tree = buildTree(makeRows('m.a', 'm.b', 'n.c', 'n.d'));
// m (open), a, b, n (closed)
const lines = flattenTree(tree, ({ path }) => path === 'm', undefined);

describe('treeAction', () => {
  it.each([
    ['ArrowDown', 0, { kind: 'move', to: 1 }],
    ['ArrowDown', 3, { kind: 'move', to: 3 }],
    ['ArrowUp', 0, { kind: 'move', to: 0 }],
    ['End', 0, { kind: 'move', to: 3 }],
    ['Home', 3, { kind: 'move', to: 0 }],
    ['PageDown', 0, { kind: 'move', to: 3 }],
    ['ArrowRight', 0, { kind: 'move', to: 1 }],
    ['ArrowRight', 3, { kind: 'expand', at: 3 }],
    ['ArrowRight', 1, undefined],
    ['ArrowLeft', 0, { kind: 'collapse', at: 0 }],
    ['ArrowLeft', 2, { kind: 'move', to: 0 }],
    ['Enter', 1, { kind: 'choose', at: 1 }],
    ['n', 0, { kind: 'move', to: 3 }],
    ['q', 0, undefined],
    ['/', 0, undefined],
  ])('%s on line %i', (key, at, expected) => {
    expect(treeAction(key, lines, at, 10)).toEqual(expected);
  });
});
