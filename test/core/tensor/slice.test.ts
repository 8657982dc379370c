import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SliceError } from '../../../src/core/errors.ts';
import {
  type ElementRun,
  parseSlice,
  pickedShape,
  pickSlice,
  type SliceItem,
  sliceRuns,
} from '../../../src/core/tensor/slice.ts';

/** Indices that Python's `range(size)[item]` holds, counted one by one. */
const naiveIndices = (item: SliceItem, size: number): number[] => {
  if ('index' in item) {
    return [item.index < 0 ? item.index + size : item.index];
  }
  const step = item.step ?? 1;
  const clip = (value: number): number => {
    const counted = value < 0 ? value + size : value;
    return step > 0 ? Math.min(Math.max(counted, 0), size) : Math.min(Math.max(counted, -1), size - 1);
  };
  const start = item.start === undefined ? (step > 0 ? 0 : size - 1) : clip(item.start);
  const stop = item.stop === undefined ? (step > 0 ? size : -1) : clip(item.stop);
  const indices: number[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) {
    indices.push(at);
  }
  return indices;
};

/** Flat row-major indices of a slice, in result order. */
const naiveFlat = (items: readonly SliceItem[], shape: readonly number[]): number[] => {
  let flat = [0];
  shape.forEach((size, dimension) => {
    const indices = naiveIndices(items[dimension] ?? {}, size);
    flat = flat.flatMap((base) => indices.map((index) => base * size + index));
  });
  return flat;
};

const expand = (runs: Iterable<ElementRun>): number[] =>
  [...runs].flatMap(({ start, count, step }) => Array.from({ length: count }, (_, k) => start + k * step));

const bound = fc.option(fc.integer({ min: -8, max: 8 }), { nil: undefined });
const range = fc.record({
  start: bound,
  stop: bound,
  step: fc.option(
    fc.integer({ min: -4, max: 4 }).filter((step) => step !== 0),
    { nil: undefined },
  ),
});

const shapeAndItems = fc.array(fc.nat({ max: 6 }), { maxLength: 5 }).chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    items: fc
      .nat({ max: shape.length })
      .chain((named) =>
        fc.tuple(
          ...shape
            .slice(0, named)
            .map((size) =>
              size === 0
                ? range
                : fc.oneof(
                    { weight: 3, arbitrary: range },
                    fc.record({ index: fc.integer({ min: -size, max: size - 1 }) }),
                  ),
            ),
        ),
      ),
  }),
);

describe('a slice of a shape, as numpy takes it', () => {
  it('picks exactly the right elements, in the right order', () => {
    fc.assert(
      fc.property(shapeAndItems, ({ shape, items }) => {
        const picked = pickSlice(items, shape);
        const expected = naiveFlat(items, shape);
        expect(expand(sliceRuns(picked, shape))).toEqual(expected);
        expect(pickedShape(picked)).toEqual(
          shape.flatMap((size, index) => {
            const item = items[index] ?? {};
            return 'index' in item ? [] : [naiveIndices(item, size).length];
          }),
        );
        expect(pickedShape(picked).reduce((product, count) => product * count, 1)).toBe(expected.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('never leaves the tensor', () => {
    fc.assert(
      fc.property(shapeAndItems, ({ shape, items }) => {
        const size = shape.reduce((product, dimension) => product * dimension, 1);
        for (const { start, count, step } of sliceRuns(pickSlice(items, shape), shape)) {
          expect(count).toBeGreaterThan(0);
          expect(Math.min(start, start + (count - 1) * step)).toBeGreaterThanOrEqual(0);
          expect(Math.max(start, start + (count - 1) * step)).toBeLessThan(size);
        }
      }),
    );
  });

  it.each<readonly [string, readonly number[], readonly ElementRun[]]>([
    ['', [3, 4], [{ start: 0, count: 12, step: 1 }]],
    ['', [], [{ start: 0, count: 1, step: 1 }]],
    ['1', [3, 4], [{ start: 4, count: 4, step: 1 }]],
    ['1:', [3, 4, 5], [{ start: 20, count: 40, step: 1 }]],
    [
      '::2',
      [3, 4],
      [
        { start: 0, count: 4, step: 1 },
        { start: 8, count: 4, step: 1 },
      ],
    ],
    [
      ':,::-1',
      [2, 3],
      [
        { start: 2, count: 3, step: -1 },
        { start: 5, count: 3, step: -1 },
      ],
    ],
    [
      ':,1',
      [3, 4],
      [
        { start: 1, count: 1, step: 1 },
        { start: 5, count: 1, step: 1 },
        { start: 9, count: 1, step: 1 },
      ],
    ],
    ['5:2', [10], []],
    [':', [0], []],
    ['::1000000', [1_000_000_000], [{ start: 0, count: 1000, step: 1_000_000 }]],
  ])('%j of %j is a handful of runs', (text, shape, runs) => {
    expect([...sliceRuns(pickSlice(parseSlice(text), shape), shape)]).toEqual(runs);
  });

  it('reaches elements beyond 2^32 exactly', () => {
    const shape = [2 ** 20, 2 ** 20];
    expect([...sliceRuns(pickSlice(parseSlice('-1,-1'), shape), shape)]).toEqual([
      { start: 2 ** 40 - 1, count: 1, step: 1 },
    ]);
  });

  it.each<readonly [string, readonly number[], RegExp]>([
    ['3', [3], /^index 3 is outside dimension 0, which has 3 elements$/],
    ['-4', [3], /^index -4 is outside dimension 0/],
    ['0', [0], /^index 0 is outside dimension 0, which has 0 elements$/],
    [':,9', [3, 4], /dimension 1/],
    ['::0', [3], /^the step of dimension 0 is 0$/],
    [':,:', [3], /^the slice has 2 dimensions, the tensor 1$/],
    ['0', [], /^the slice has 1 dimensions, the tensor 0$/],
  ])('%j of %j is refused', (text, shape, message) => {
    expect(() => pickSlice(parseSlice(text), shape)).toThrow(SliceError);
    expect(() => pickSlice(parseSlice(text), shape)).toThrow(message);
  });
});

describe('the text of a slice', () => {
  it.each<readonly [string, readonly SliceItem[]]>([
    ['', []],
    ['  ', []],
    ['[]', []],
    ['0', [{ index: 0 }]],
    [' -3 ', [{ index: -3 }]],
    ['+3', [{ index: 3 }]],
    [':', [{ start: undefined, stop: undefined, step: undefined }]],
    ['::', [{ start: undefined, stop: undefined, step: undefined }]],
    ['1:', [{ start: 1, stop: undefined, step: undefined }]],
    [':-1', [{ start: undefined, stop: -1, step: undefined }]],
    ['1:2:3', [{ start: 1, stop: 2, step: 3 }]],
    [' 1 : 2 : -3 ', [{ start: 1, stop: 2, step: -3 }]],
    [
      '[0,:,::2]',
      [
        { index: 0 },
        { start: undefined, stop: undefined, step: undefined },
        { start: undefined, stop: undefined, step: 2 },
      ],
    ],
  ])('%j is read', (text, items) => {
    expect(parseSlice(text)).toEqual(items);
  });

  it.each(['a', '1.5', '1,', ',', '1:2:3:4', '0x1', '1 2', '--1', '1e3', '[0', '0]', '...', '1:a', '١'])(
    '%j is refused',
    (text) => {
      expect(() => parseSlice(text)).toThrow(SliceError);
    },
  );

  it.each(['9007199254740993', '1:99999999999999999999', '::-9007199254740992'])('%j is too large', (text) => {
    expect(() => parseSlice(text)).toThrow(/is too large for an index/);
  });

  it.each([
    `:${' '.repeat(9000)}x`,
    `${' '.repeat(3000)}:${' '.repeat(3000)}:${' '.repeat(3000)}x`,
    `1${' '.repeat(9000)}x`,
    `${'1'.repeat(9000)}x`,
  ])('long runs of spaces and digits end at once (case %#)', (text) => {
    expect(() => parseSlice(text)).toThrow(SliceError);
  });

  it('says again what was picked', () => {
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 4 }), (items) => {
        const text = items
          .map(({ start, stop, step }) => `${start ?? ''}:${stop ?? ''}${step === undefined ? '' : `:${step}`}`)
          .join(',');
        expect(parseSlice(text)).toEqual(items);
        expect(parseSlice(`[${text.replaceAll(':', ' : ')}]`)).toEqual(items);
      }),
    );
  });
});
