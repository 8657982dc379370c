import { describe, expect, it } from 'vitest';
import { LAYOUTS } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';

const add = (
  builder: TensorTableBuilder,
  name: string,
  dtype = 'F32',
  shape: readonly (number | bigint)[] = [],
): number => builder.add({ name, dtype, shape, count: 1, begin: 8, end: 12, layout: 'contiguous', file: 0 });

describe('columns', () => {
  it('hold names end to end, dtypes once, and large integers beside the column', () => {
    const builder = new TensorTableBuilder(['f']);
    add(builder, 'ab', 'F32', [2, 2n ** 60n]);
    add(builder, '', 'F16');
    add(builder, 'é', 'F32', [3]);
    builder.add({
      name: 'x',
      dtype: '',
      shape: [],
      count: 2n ** 62n,
      begin: undefined,
      end: undefined,
      layout: 'absent',
      file: 0,
    });
    const data = builder.finish();
    expect(new TextDecoder().decode(data.names)).toBe('abéx');
    expect([...data.nameEnds]).toEqual([2, 2, 4, 5]);
    expect(data.dtypeTexts).toEqual(['F32', 'F16', '']);
    expect([...data.dtypes]).toEqual([0, 1, 0, 2]);
    expect([...data.dims]).toEqual([2, Number.NaN, 3]);
    expect(data.bigDims).toEqual(new Map([[1, 2n ** 60n]]));
    expect([...data.dimEnds]).toEqual([2, 2, 3, 3]);
    expect([...data.counts]).toEqual([1, 1, 1, Number.NaN]);
    expect(data.bigCounts).toEqual(new Map([[3, 2n ** 62n]]));
    expect([...data.begins]).toEqual([8, 8, 8, Number.NaN]);
    expect([...data.layouts].map((code) => LAYOUTS[code])).toEqual([
      'contiguous',
      'contiguous',
      'contiguous',
      'absent',
    ]);
    expect([...data.present]).toEqual([1, 1, 1, 1]);
  });

  it('take names of any length', () => {
    const builder = new TensorTableBuilder(['f']);
    const names = ['x'.repeat(1_000_000), '', '😀'.repeat(200_000), 'y'];
    for (const name of names) {
      add(builder, name);
    }
    expect(names.map((_, id) => builder.name(id) === names[id])).toEqual([true, true, true, true]);
  });

  it('of a hundred thousand rows are as long as they must be', () => {
    const builder = new TensorTableBuilder(['f']);
    for (let index = 0; index < 100_000; index += 1) {
      add(builder, `t${index}`);
    }
    const data = builder.finish();
    expect(builder.length).toBe(100_000);
    expect(data.begins.buffer.byteLength).toBe(800_000);
    expect(data.names).toHaveLength(10 * 2 + 90 * 3 + 900 * 4 + 9000 * 5 + 90_000 * 6);
  });
});
