import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ValueTree } from '../../../../src/core/checkpoint-content.ts';
import type { PickleNode } from '../../../../src/core/formats/pickle/nodes.ts';
import { childAt, childCount, childrenOf } from '../../../../src/core/formats/pickle/tree-view.ts';
import { DEEPEST_PATH, ValueTreeView } from '../../../../src/core/formats/pickle/value-tree-view.ts';
import type { ValueRow } from '../../../../src/shared/pickle-types.ts';
import { global, little, op, type Part, run, shortText, stream } from './pickle-bytes.ts';
import { writable, writePickle } from './pickle-writer.ts';

const noPause = async (): Promise<void> => undefined;
const unnamed = (): string => '';

const rootOf = (...parts: readonly Part[]): PickleNode => {
  const { root, problem } = run(...parts, op('STOP'));
  if (root === undefined) {
    throw new Error(problem?.message);
  }
  return root;
};

const viewOf = (root: PickleNode, more: Partial<ValueTree> = {}): Promise<ValueTreeView> =>
  ValueTreeView.of({ name: 'data.pkl', root, ...more }, noPause);

const brief = ({ label, text, children }: ValueRow): readonly unknown[] => [label, text, children];

describe('a value tree by pages', () => {
  it('gives the children of what a path leads to, and how many there are', async () => {
    const view = await viewOf(rootOf('}(', shortText('epoch'), 'K\x03', shortText('lr'), '](K\x01K\x02K\x03eu'));
    expect(view.rootRow(0)).toMatchObject({ role: 'root', kind: 'dict', label: 'data.pkl', children: 2 });
    expect(view.childCount([])).toBe(2);
    expect(view.children([], 0, 10, unnamed).map(brief)).toEqual([
      ['"epoch"', '3', 0],
      ['"lr"', '[1, 2, 3]', 3],
    ]);
    expect(view.children([1], 1, 1, unnamed).map(({ index, text }) => [index, text])).toEqual([[1, '2']]);
    expect(view.childCount([1])).toBe(3);
  });

  it('answers a path that leads nowhere with nothing', async () => {
    const view = await viewOf(rootOf('](K\x01e'));
    expect([view.childCount([5]), view.childCount([0, 0]), view.text([7], 10)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(view.children([5], 0, 10, unnamed)).toEqual([]);
  });

  it('shows an object that holds itself as a way back', async () => {
    const view = await viewOf(rootOf('}q\x00(', shortText('a'), '](h\x00eu'));
    const [row] = view.children([0], 0, 10, unnamed);
    expect(row).toMatchObject({ kind: 'dict', children: 0, same: { kind: 'inside', path: [], label: 'data.pkl' } });
    expect(view.childCount([0, 0])).toBeUndefined();
  });

  it('shows a shared object with its children once, and elsewhere as a way there', async () => {
    const view = await viewOf(
      rootOf(
        '}(',
        shortText('a'),
        ']K\x00a',
        shortText('b'),
        '}(',
        shortText('x'),
        '](K\x01eq\x05u',
        shortText('c'),
        'h\x05u',
      ),
    );
    const [a, b, c] = view.children([], 0, 10, unnamed);
    expect([a?.same, b?.same]).toEqual([undefined, undefined]);
    expect(c).toMatchObject({ text: '[1]', children: 0, same: { kind: 'elsewhere', path: [1, 0], label: 'b.x' } });
    expect(view.children([1], 0, 1, unnamed)[0]).toMatchObject({ children: 1, same: undefined });
  });

  it('says nothing of empty containers and plain values that are shared', async () => {
    const view = await viewOf(rootOf('](', ']q\x00h\x00', shortText('x'), 'q\x01h\x01e'));
    expect(view.children([], 0, 10, unnamed).map(({ same }) => same)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('closes what is a tensor of the table, and names its row', async () => {
    const root = rootOf('}(', shortText('w'), global('torch', 'f'), 'K\x01\x85R', shortText('n'), 'K\x01u');
    const tensor = childAt(root, 0);
    const view = await viewOf(root, { tensors: tensor === undefined ? [] : [tensor], firstTensor: 7 });
    expect(view.children([], 0, 10, unnamed).map(({ tensorId, children }) => [tensorId, children])).toEqual([
      [7, 0],
      [undefined, 0],
    ]);
    expect([view.childCount([0]), view.childCount([0, 0])]).toEqual([undefined, undefined]);
    expect(view.text([0], 100)?.text).toBe('torch.f(1)');
  });

  it('of two rows that are one object, names the one that belongs to the place', async () => {
    const root = rootOf('}(', shortText('a'), global('torch', 'f'), 'K\x01\x85Rq\x00', shortText('b'), 'h\x00u');
    const tensor = childAt(root, 0);
    const view = await viewOf(root, { tensors: tensor === undefined ? [] : [tensor, tensor], firstTensor: 3 });
    const names = new Map([
      [3, 'model.a'],
      [4, 'model.b'],
    ]);
    const rows = view.children([], 0, 10, (id) => names.get(id) ?? '');
    expect(rows.map(({ tensorId, same }) => [tensorId, same])).toEqual([
      [3, undefined],
      [4, undefined],
    ]);
  });

  it('gives whole texts, up to a bound', async () => {
    const long = 'x'.repeat(5000);
    const view = await viewOf(rootOf('](X', little(5000, 4), long, 'C\x02\x01\xff', 'K\x07e'));
    expect(view.text([0], 100)).toEqual({ text: 'x'.repeat(100), length: 5000 });
    expect(view.text([1], 100)).toEqual({ text: '01 ff', length: 5 });
    expect(view.text([2], 100)).toEqual({ text: '7', length: 1 });
    expect(view.text([], 1000)?.text).toMatch(/^\["x/);
  });

  it('ends at a depth nobody opens by hand, and takes little time over what nests deeper', async () => {
    const view = await viewOf(rootOf('N', '\x85'.repeat(9000)));
    const path = new Array<number>(DEEPEST_PATH - 1).fill(0);
    expect(view.children(path, 0, 1, unnamed)[0]?.children).toBe(0);
    expect(view.children(path.slice(1), 0, 1, unnamed)[0]?.children).toBe(1);
    expect(view.childCount([...path, 0, 0])).toBeUndefined();
  });

  it('of any pickle holds every child once, and opens only what has children', async () => {
    await fc.assert(
      fc.asyncProperty(writable, async (value) => {
        const { root } = run(
          writePickle(value, () => 0),
          op('STOP'),
        );
        if (root === undefined) {
          throw new Error('the writer wrote no pickle');
        }
        const view = await viewOf(root);
        const open: (readonly number[])[] = [[]];
        for (let path = open.pop(); path !== undefined; path = open.pop()) {
          const rows = view.children(path, 0, 1000, unnamed);
          expect(rows.length).toBe(view.childCount(path));
          expect(rows.map(({ index }) => index)).toEqual(rows.map((_, index) => index));
          for (const { index, children } of rows) {
            if (children > 0) {
              open.push([...path, index]);
            }
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('one child by its place', () => {
  it('is the one that the page of children has there', () => {
    const call = rootOf(
      stream(global('m', 'f'), 'K\x01K\x02\x86}', shortText('k'), 'K\x03s\x92'),
      'K\x04a(K\x05e',
      shortText('key'),
      'K\x06s',
      'K\x07b',
    );
    const all = childrenOf(call, 0, 100);
    expect(all.map(({ node }) => node)).toEqual(Array.from({ length: childCount(call) }, (_, at) => childAt(call, at)));
    expect(childAt(call, all.length)).toBeUndefined();
    expect(childAt(rootOf('N'), 0)).toBeUndefined();
  });
});
