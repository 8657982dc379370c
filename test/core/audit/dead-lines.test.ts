import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeadLineFinder, matrixView, mayHaveDeadLines } from '../../../src/core/audit/dead-lines.ts';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { elementNumbers } from '../../../src/core/dtypes/exact-values.ts';
import { requireDtype } from '../../../src/core/dtypes/require-dtype.ts';

describe('a shape as a matrix', () => {
  it.each([
    [[3, 4], { rows: 3, columns: 4, inner: 1 }],
    [[8, 3, 5, 5], { rows: 8, columns: 3, inner: 25 }],
    [[1, 1, 7, 7], { rows: 7, columns: 7, inner: 1 }],
    [[5, 1, 2], { rows: 5, columns: 2, inner: 1 }],
    [[5], undefined],
    [[], undefined],
    [[1, 9, 1], undefined],
    [[0, 4], undefined],
  ])('%j', (shape, view) => {
    expect(matrixView(shape)).toEqual(view);
  });
});

describe('rows and columns of zeros', () => {
  it.each(['F64', 'F32', 'BF16', 'F16', 'F8_E4M3', 'F8_E5M2FNUZ', 'F8_E8M0', 'F4'])(
    'are those whose every element decodes to zero: %s',
    (dtype) => {
      const info = requireDtype(dtype);
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 5 }),
          fc.integer({ min: 1, max: 5 }),
          fc.integer({ min: 1, max: 3 }),
          fc.array(fc.constantFrom(0, 0, 0, 0, 0x80, 1, 0x10), { minLength: 640, maxLength: 640 }),
          fc.nat(80),
          (rows, columns, inner, raw, cut) => {
            const count = rows * columns * inner;
            const bytes = Uint8Array.from(raw);
            const finder = new DeadLineFinder(info, { rows, columns, inner });
            const middle = info.bits < 8 ? Math.min(cut, count) & ~1 : Math.min(cut, count);
            const at = (middle * info.bits) / 8;
            finder.add({ bytes: bytes.subarray(0, at), firstElement: 0, count: middle });
            finder.add({ bytes: bytes.subarray(at), firstElement: 0, count: count - middle });
            const values = elementNumbers(dtype, bytes, count);
            const isDead = (belongs: (index: number) => boolean) =>
              values.every((value, i) => !belongs(i) || value === 0);
            const lines = finder.lines;
            expect(lines.rows).toEqual(
              [...Array(rows).keys()].filter((row) => isDead((i) => Math.floor(i / (columns * inner)) === row)),
            );
            expect(lines.columns).toEqual(
              [...Array(columns).keys()].filter((column) => isDead((i) => Math.floor(i / inner) % columns === column)),
            );
            expect([lines.rowCount, lines.columnCount]).toEqual([lines.rows.length, lines.columns.length]);
          },
        ),
      );
    },
  );

  it('are looked for only where there are zeros enough', () => {
    const facts = (zeros: number, count = 100, dtype = 'F32', name = 'w') => {
      const distribution = newDistribution(dtype);
      const bytes = new Uint8Array((requireDtype(dtype).bits / 8) * count).fill(0x3f);
      bytes.fill(0, 0, (requireDtype(dtype).bits / 8) * zeros);
      distribution.add(bytes);
      return { tensorId: 0, stats: distribution.summarise(name, 1), boolOutOfRange: 0 };
    };
    expect(mayHaveDeadLines(facts(9), [10, 10])).toBe(false);
    expect(mayHaveDeadLines(facts(10), [10, 10])).toBe(true);
    expect(mayHaveDeadLines(facts(100), [10, 10])).toBe(false);
    expect(mayHaveDeadLines(facts(50), [2, 50])).toBe(false);
    expect(mayHaveDeadLines(facts(50), [100])).toBe(false);
    expect(mayHaveDeadLines(facts(50, 100, 'I32'), [10, 10])).toBe(false);
    expect(mayHaveDeadLines(facts(50, 100, 'F32', 'layers.0.rotary_emb.sin_cached'), [10, 10])).toBe(false);
  });
});
