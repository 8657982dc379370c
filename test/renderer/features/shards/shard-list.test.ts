import { describe, expect, it } from 'vitest';
import { missingShards, shardLines, shortShardName } from '../../../../src/renderer/features/shards/shard-list.ts';
import { shownRows } from '../../../../src/renderer/features/table/shown-rows.ts';
import { makeMockModel } from '../../../../src/renderer/mock/mock-model.ts';
import { createSession } from '../../../../src/renderer/state/session.ts';
import type { ShardEntry } from '../../../../src/shared/checkpoint-types.ts';
import { makeRow } from '../../tensor-row-maker.ts';

const shard = (path: string, tensors: number, bytes: number, present = true): ShardEntry => ({
  path,
  tensors,
  bytes,
  present,
});

const SHARDS = [
  shard('/m/gemma/model-00001-of-00003.safetensors', 2, 400),
  shard('model-00002-of-00003.safetensors', 3, 0, false),
  shard('/m/gemma/sub/model-00003-of-00003.safetensors', 1, 100),
];

describe('shardLines', () => {
  it('names shards below their common folder, and tells whose rows are whose', () => {
    expect(shardLines(SHARDS).map(({ name, start, end, share }) => [name, start, end, share])).toEqual([
      ['model-00001-of-00003.safetensors', 0, 2, 1],
      ['model-00002-of-00003.safetensors', 2, 5, 0],
      ['sub/model-00003-of-00003.safetensors', 5, 6, 0.25],
    ]);
  });

  it('copes with paths of Windows, with a name that is a path out, and with no shard at all', () => {
    const lines = shardLines([shard('C:\\m\\a.safetensors', 1, 8), shard('../../etc/passwd', 0, 0, false)]);
    expect(lines.map(({ name }) => name)).toEqual(['a.safetensors', '../../etc/passwd']);
    expect(shardLines([])).toEqual([]);
    expect(shardLines([shard('/a', 0, 0)])[0]?.share).toBe(0);
  });

  it('counts what is missing', () => {
    expect(missingShards(SHARDS)).toBe(1);
  });
});

describe('a table narrowed to a shard', () => {
  it('shows the rows of that shard, and of a folder of them only those in both', () => {
    const session = createSession({ sessionId: 1, title: 'm', path: '/m', summary: makeMockModel(1).summary });
    const rows = ['a.x', 'a.y', 'b.x', 'b.y'].map((name, id) => makeRow(id, name));
    const shownNames = () => shownRows(session.getState()).map(({ name }) => name);
    session.setState({ rows, order: Uint32Array.of(3, 2, 1, 0), shard: { place: 1, name: 's', start: 1, end: 3 } });
    expect(shownNames()).toEqual(['b.x', 'a.y']);
    session.setState({ folder: { path: 'b', ids: new Set([2, 3]) } });
    expect(shownNames()).toEqual(['b.x']);
    session.setState({ shard: undefined });
    expect(shownNames()).toEqual(['b.y', 'b.x']);
  });
});

describe('shortShardName', () => {
  it.each([
    ['model-00002-of-00163.safetensors', '00002-of-00163'],
    ['sub/pytorch_model-2-of-9.bin', '2-of-9'],
    ['consolidated.safetensors', 'consolidated.safetensors'],
    ['00001-of-00002.safetensors', '00001-of-00002'],
    ['', ''],
  ])('%s reads %s', (name, short) => {
    expect(shortShardName(name)).toBe(short);
  });
});
