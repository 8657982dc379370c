import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexText, shardNames, splitIntoShards } from '../../../src/core/writing/shard-plan.ts';

const sized = (...sizes: readonly number[]): { bytes: number }[] => sizes.map((bytes) => ({ bytes }));
const sizesOf = (shards: readonly (readonly { bytes: number }[])[]): number[][] =>
  shards.map((shard) => shard.map(({ bytes }) => bytes));

describe('splitIntoShards', () => {
  it.each<[number[], number, number[][]]>([
    [[], 10, []],
    [[4, 4, 4], 8, [[4, 4], [4]]],
    [[4, 4, 4], 12, [[4, 4, 4]]],
    [[10, 10], 10, [[10], [10]]],
    [[0, 0, 0], 1, [[0, 0, 0]]],
    // A tensor over the limit goes alone at once, while the shard before it stays open: as huggingface_hub has it.
    [[2, 99, 3, 99, 4], 10, [[99], [99], [2, 3, 4]]],
  ])('%j by %d', (sizes, limit, expected) => {
    expect(sizesOf(splitIntoShards(sized(...sizes), limit))).toEqual(expected);
  });

  it('keeps every tensor once, in order, and no shard over the limit but by one tensor alone', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30 })), fc.integer({ min: 1, max: 60 }), (sizes, limit) => {
        const tensors = sizes.map((bytes, order) => ({ bytes, order }));
        const shards = splitIntoShards(tensors, limit);
        expect(shards.flat().toSorted((a, b) => a.order - b.order)).toEqual(tensors);
        for (const shard of shards) {
          expect(shard.length).toBeGreaterThan(0);
          expect(shard.map(({ order }) => order)).toEqual(shard.map(({ order }) => order).toSorted((a, b) => a - b));
          const total = shard.reduce((sum, { bytes }) => sum + bytes, 0);
          expect(total <= limit || shard.length === 1).toBe(true);
        }
      }),
    );
  });

  it('refuses more shards than five digits number', () => {
    expect(() => splitIntoShards(sized(...new Array<number>(100_000).fill(1)), 1)).toThrowError(
      expect.objectContaining({ code: 'too-many-shards' }),
    );
  });
});

describe('shardNames', () => {
  it('numbers from 1 with five digits, and a single file not at all', () => {
    expect(shardNames(1)).toEqual(['model.safetensors']);
    expect(shardNames(3)).toEqual([
      'model-00001-of-00003.safetensors',
      'model-00002-of-00003.safetensors',
      'model-00003-of-00003.safetensors',
    ]);
  });
});

describe('indexText', () => {
  it('is what json.dumps(indent=2, sort_keys=True) prints', () => {
    const text = indexText(96, [
      ['z', 'b'],
      ['10', 'a'],
      ['2', 'a'],
      ['__proto__', 'a'],
      ['é"\n\u007f', 'a'],
      ['😀', 'a'],
      ['\uffee', 'a'],
    ]);
    expect(text).toBe(`{
  "metadata": {
    "total_size": 96
  },
  "weight_map": {
    "10": "a",
    "2": "a",
    "__proto__": "a",
    "z": "b",
    "\\u00e9\\"\\n\\u007f": "a",
    "\\uffee": "a",
    "\\ud83d\\ude00": "a"
  }
}
`);
  });

  it('of nothing is an empty map', () => {
    expect(JSON.parse(indexText(0, []))).toEqual({ metadata: { total_size: 0 }, weight_map: {} });
  });
});
