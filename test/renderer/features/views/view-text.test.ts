import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../../src/renderer/features/table/filter-query.ts';
import { viewFacts, viewHover, viewWord } from '../../../../src/renderer/features/views/view-text.ts';
import type { TensorView } from '../../../../src/shared/checkpoint-types.ts';
import { makeRow } from '../../tensor-row-maker.ts';

const view = (rest: Partial<TensorView> = {}, storage: Partial<TensorView['storage']> = {}): TensorView => ({
  strides: [1],
  offset: 0,
  storage: { offset: 64, bytes: 8, tensors: 1, ...storage },
  ...rest,
});

describe('the badge of a view', () => {
  it('is there for what does not have its storage for itself', () => {
    expect(viewWord(makeRow(0, 'plain'))).toBeUndefined();
    expect(viewWord(makeRow(0, 'tied', { view: view({}, { tensors: 2 }) }))).toBe('shared');
    expect(viewWord(makeRow(0, 'part', { view: view({}, { bytes: 80 }) }))).toBe('view');
    expect(viewWord(makeRow(0, 'later', { view: view({ offset: 4 }, { tensors: 2 }) }))).toBe('view');
    expect(viewWord(makeRow(0, 'turned', { layout: 'strided', view: view() }))).toBe('view');
    expect(viewWord(makeRow(0, 'negated', { view: view({ negated: true }) }))).toBe('view');
  });

  it('is told in words', () => {
    const row = makeRow(0, 'w', {
      view: view({ strides: [1, 1152], offset: 1, conjugated: true }, { tensors: 3, bytes: 5_300_000 }),
    });
    expect(viewFacts(row)).toEqual([
      ['Strides', '[1, 1,152] elements'],
      ['Starts', '1 byte into its storage'],
      ['Storage', '5.3 MB @ 64, shared by 3 tensors'],
      ['Stored', 'conjugated'],
    ]);
    expect(viewHover(row).split('\n')).toHaveLength(4);
    const inside = viewFacts(makeRow(0, 'w', { view: view({}, { offset: undefined }) }));
    expect(inside[2]).toEqual(['Storage', '8 B, compressed']);
    expect(viewFacts(makeRow(0, 'scalar', { view: view({ strides: [] }) }))[0]?.[0]).toBe('Starts');
    expect(viewFacts(makeRow(0, 'plain'))).toEqual([]);
  });

  it('comes with what the integers of a quantised tensor stand for', () => {
    const whole = makeRow(0, 'q', { quantised: { scheme: 'tensor', scale: 0.1, zeroPoint: 3 } });
    expect([viewWord(whole), viewFacts(whole)]).toEqual([undefined, [['Values', '(q − 3) × 0.1']]]);
    const channels = makeRow(0, 'q', { quantised: { scheme: 'channels', axis: 1 }, view: view() });
    expect(viewFacts(channels)[0]).toEqual(['Values', '(q − zero point) × scale, of each index of dimension 1']);
  });

  it('can be filtered by', () => {
    const rows = [
      makeRow(0, 'plain'),
      makeRow(1, 'tied', { view: view({}, { tensors: 2 }) }),
      makeRow(2, 'part', { view: view({ offset: 4 }) }),
    ];
    const passing = (query: string) => rows.filter((row) => compileFilter(query)?.(row, row.name)).map(({ id }) => id);
    expect([passing('is:view'), passing('is:shared'), passing('-is:view')]).toEqual([[2], [1], [0, 1]]);
  });
});
