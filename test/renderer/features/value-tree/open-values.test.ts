import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closedTrees,
  lineAt,
  lineCount,
  type OpenValue,
  openedAt,
  placeOf,
  setOpened,
  type ValueLine,
} from '../../../../src/renderer/features/value-tree/open-values.ts';
import { valueAction } from '../../../../src/renderer/features/value-tree/value-keys.ts';
import { hasLongText, keyText } from '../../../../src/renderer/features/value-tree/value-words.ts';

/** All lines, by the obvious way. */
const allLines = (open: OpenValue, above: readonly number[] = []): ValueLine[] =>
  Array.from({ length: open.count }, (_, index) => index).flatMap((index) => {
    const path = [...above, index];
    const inside = open.inside.get(index);
    const line = { path, level: path.length, siblings: open.count, isOpen: inside !== undefined };
    return [line, ...(inside === undefined ? [] : allLines(inside, path))];
  });

/** Trees in which lines were opened one after another, wherever they stood. */
const opened = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 6 })), { maxLength: 30 }),
  )
  .map(([roots, steps]) =>
    steps.reduce((trees, [place, count]) => {
      const lines = allLines(trees);
      return setOpened(trees, lines[place % lines.length]?.path ?? [0], count);
    }, closedTrees(roots)),
  );

describe('opened values', () => {
  it('are the lines that a walk over all of them gives, each found at its place and by its path', () => {
    fc.assert(
      fc.property(opened, (trees) => {
        const lines = allLines(trees);
        expect(lineCount(trees)).toBe(lines.length);
        expect(lines.map((_, place) => lineAt(trees, place))).toEqual(lines);
        expect(lines.map(({ path }) => placeOf(trees, path))).toEqual(lines.map((_, place) => place));
        expect([lineAt(trees, lines.length), lineAt(trees, -1)]).toEqual([undefined, undefined]);
      }),
    );
  });

  it('of a list of a million have no million of anything', () => {
    const trees = setOpened(setOpened(closedTrees(1), [0], 1_000_000), [0, 999_998], 3);
    expect(lineCount(trees)).toBe(1_000_004);
    expect(lineAt(trees, 1_000_001)?.path).toEqual([0, 999_998, 1]);
    expect(lineAt(trees, 1_000_003)?.path).toEqual([0, 999_999]);
    expect(placeOf(trees, [0, 999_999])).toBe(1_000_003);
  });

  it('are opened inside what is open, stay as they are when opened again, and close with what is in them', () => {
    const trees = setOpened(setOpened(closedTrees(2), [1], 3), [1, 2], 4);
    expect(openedAt(trees, [1, 2])?.count).toBe(4);
    expect(setOpened(trees, [1], 9)).toEqual(trees);
    expect(setOpened(trees, [0, 0], 1)).toEqual(trees);
    expect(lineCount(setOpened(trees, [1], undefined))).toBe(2);
    expect(placeOf(trees, [0, 0])).toBeUndefined();
    expect(placeOf(trees, [1, 3])).toBeUndefined();
    expect(placeOf(trees, [])).toBeUndefined();
  });
});

describe('keys in the value tree', () => {
  const trees = setOpened(closedTrees(1), [0], 3);
  const at = (key: string, place: number, canOpen = false) => valueAction(key, trees, place, 2, canOpen);

  it.each([
    ['ArrowDown', 0, { kind: 'move', to: 1 }],
    ['ArrowDown', 3, { kind: 'move', to: 3 }],
    ['ArrowUp', 0, { kind: 'move', to: 0 }],
    ['Home', 3, { kind: 'move', to: 0 }],
    ['End', 0, { kind: 'move', to: 3 }],
    ['PageDown', 0, { kind: 'move', to: 2 }],
    ['PageUp', 3, { kind: 'move', to: 1 }],
    ['ArrowRight', 0, { kind: 'move', to: 1 }],
    ['ArrowRight', 1, undefined],
    ['ArrowLeft', 2, { kind: 'move', to: 0 }],
    ['Escape', 0, undefined],
  ] as const)('%s on line %i', (key, place, action) => {
    expect(at(key, place)).toEqual(action);
  });

  it('open, close and choose the line', () => {
    expect(at('ArrowRight', 1, true)).toMatchObject({ kind: 'open', line: { path: [0, 0] } });
    expect(at('ArrowLeft', 0)).toMatchObject({ kind: 'close', line: { path: [0] } });
    expect(at('Enter', 2)).toMatchObject({ kind: 'choose', line: { path: [0, 1] } });
    expect(at(' ', 2)).toMatchObject({ kind: 'choose' });
  });

  it('find the first line when there is no active one', () => {
    expect(at('ArrowDown', 99)).toEqual({ kind: 'move', to: 0 });
    expect(valueAction('ArrowDown', closedTrees(0), 0, 2, false)).toBeUndefined();
  });
});

describe('words for values', () => {
  it('give keys without quotes, and say what belongs to an object', () => {
    expect(keyText({ role: 'entry', label: '"epoch"' })).toBe('epoch');
    expect(keyText({ role: 'entry', label: '"a"b"' })).toBe('a"b');
    expect(keyText({ role: 'entry', label: '3' })).toBe('3');
    expect(keyText({ role: 'item', label: '12' })).toBe('12');
    expect(keyText({ role: 'argument', label: '0' })).toBe('argument 0');
    expect(keyText({ role: 'keyword', label: '"lr"' })).toBe('lr');
    expect(keyText({ role: 'callee', label: '0' })).toBe('called');
    expect(hasLongText({ kind: 'bytes' })).toBe(true);
    expect(hasLongText({ kind: 'int' })).toBe(false);
  });
});
