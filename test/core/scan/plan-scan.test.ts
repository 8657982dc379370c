import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DTYPES } from '../../../src/core/dtypes/dtype-table.ts';
import { planScan, type ScanTask } from '../../../src/core/scan/plan-scan.ts';
import { elementsPerGroup } from '../../../src/core/tensor/plan-reads.ts';
import { TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';

const MEGA = 1024 * 1024;

interface Planned {
  readonly dtype: string;
  readonly begin: number;
  readonly bytes: number;
  readonly file: number;
}

const tableOf = (tensors: readonly Planned[]): TensorTable => {
  const builder = new TensorTableBuilder(['one', 'two']);
  tensors.forEach(({ dtype, begin, bytes, file }, index) => {
    builder.add({
      name: `t${index}`,
      dtype,
      shape: [],
      count: 0,
      begin,
      end: begin + bytes,
      layout: 'contiguous',
      file,
    });
  });
  return new TensorTable(builder.finish());
};

const tensor = fc
  .record({
    info: fc.constantFrom(...DTYPES.values()),
    begin: fc.nat(),
    groups: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 20 * MEGA }), fc.nat({ max: 100 * MEGA })),
    file: fc.nat({ max: 1 }),
  })
  .map(({ info, begin, groups, file }) => ({
    dtype: info.name,
    begin,
    bytes: (groups * elementsPerGroup(info.bits) * info.bits) / 8,
    file,
  }));

describe('a scan plan', () => {
  it('covers every tensor exactly once, in whole groups of elements, in order, a file a task', () => {
    fc.assert(
      fc.property(fc.array(tensor, { maxLength: 20 }), (tensors) => {
        const tasks = [...planScan(tableOf(tensors), tensors.keys())];
        const pieces = tasks.flatMap((task) => task.pieces);
        expect(pieces.map(({ tensorId }) => tensorId)).toEqual(
          pieces.map(({ tensorId }) => tensorId).toSorted((a, b) => a - b),
        );
        tensors.forEach(({ dtype, begin, bytes, file }, id) => {
          const own = pieces.filter(({ tensorId }) => tensorId === id);
          const group = (elementsPerGroup(DTYPES.get(dtype)?.bits ?? 0) * (DTYPES.get(dtype)?.bits ?? 0)) / 8;
          expect(own.length).toBeGreaterThan(0);
          let at = begin;
          for (const piece of own) {
            expect(piece).toMatchObject({ name: `t${id}`, dtype, file, begin: at, pieces: own.length });
            expect(piece.bytes % group).toBe(0);
            expect(piece.bytes).toBeLessThanOrEqual(32 * MEGA);
            at += piece.bytes;
          }
          expect(at).toBe(begin + bytes);
        });
        for (const { pieces: together, bytes } of tasks) {
          expect(together.length).toBeGreaterThan(0);
          expect(together.length).toBeLessThanOrEqual(256);
          expect(new Set(together.map(({ file }) => file)).size).toBe(1);
          expect(bytes).toBe(together.reduce((sum, piece) => sum + piece.bytes, 0));
          expect(together.length === 1 || bytes <= 8 * MEGA).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('puts small tensors together', () => {
    const small = Array.from({ length: 1000 }, (_, index) => ({ dtype: 'F32', begin: index * 4, bytes: 4, file: 0 }));
    const counts = [...planScan(tableOf(small), small.keys())].map((task: ScanTask) => task.pieces.length);
    expect(counts).toEqual([256, 256, 256, 232]);
  });

  it('takes only the rows it is given, in that order', () => {
    const tensors = Array.from({ length: 5 }, (_, index) => ({ dtype: 'U8', begin: index, bytes: 1, file: 0 }));
    const ids = [...planScan(tableOf(tensors), [3, 1])].flatMap(({ pieces }) => pieces.map(({ tensorId }) => tensorId));
    expect(ids).toEqual([3, 1]);
    expect([...planScan(tableOf(tensors), [])]).toEqual([]);
  });

  it('has one piece of no bytes for an empty tensor', () => {
    const [task] = [...planScan(tableOf([{ dtype: 'F6_E2M3', begin: 100, bytes: 0, file: 1 }]), [0])];
    expect(task).toEqual({
      bytes: 0,
      pieces: [{ tensorId: 0, name: 't0', dtype: 'F6_E2M3', file: 1, begin: 100, bytes: 0, pieces: 1 }],
    });
  });

  it('plans lazily: a huge tensor’s pieces are plain numbers', () => {
    const table = tableOf([{ dtype: 'BF16', begin: 8, bytes: 2 ** 40, file: 0 }]);
    let bytes = 0;
    let tasks = 0;
    for (const task of planScan(table, [0])) {
      bytes += task.bytes;
      tasks += 1;
    }
    expect(bytes).toBe(2 ** 40);
    expect(tasks).toBe(2 ** 15);
  });
});
