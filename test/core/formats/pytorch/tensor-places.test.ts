import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckpointContent } from '../../../../src/core/checkpoint-content.ts';
import { ValueTreeView } from '../../../../src/core/formats/pickle/value-tree-view.ts';
import { inspectPath } from '../../../../src/node/open-checkpoint.ts';
import type { ValueRow } from '../../../../src/shared/pickle-types.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';
import {
  bool,
  call,
  dense,
  dict,
  global,
  int,
  type Piece,
  pickle,
  stateDict,
  storage,
  text,
  torchFile,
  tuple,
} from '../../../support/torch-bytes.ts';

const noPause = async (): Promise<void> => undefined;
const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const FOUR = floats(1, 2, 3, 4);
const four = storage('FloatStorage', '0', 4);
const hooks = call(global('collections', 'OrderedDict'));

/** All values of the first tree that are rows of the table, as path in words and name of the row. */
const placesOf = async ({ pickles = [], table }: CheckpointContent): Promise<readonly unknown[]> => {
  const places: unknown[] = [];
  for (const tree of pickles) {
    const view = await ValueTreeView.of(tree, noPause);
    const note = (row: ValueRow, at: readonly number[]): void => {
      if (row.tensorId !== undefined) {
        places.push([view.label(at), table.name(row.tensorId)]);
      }
    };
    note(view.rootRow(0), []);
    const open: (readonly number[])[] = [[]];
    for (let at = open.shift(); at !== undefined; at = open.shift()) {
      for (const row of view.children(at, 0, 100, (id) => table.name(id))) {
        note(row, [...at, row.index]);
        if (row.children > 0) {
          open.push([...at, row.index]);
        }
      }
    }
  }
  return places;
};

const places = async (root: Uint8Array, storages: Readonly<Record<string, Uint8Array>> = { 0: FOUR }) =>
  placesOf((await inspectBytes(torchFile(root, storages), 'm.pt')).content);

describe('tensors in a value tree', () => {
  it('lead to the rows of the table', async () => {
    const optimizer = dict([text('exp_avg'), dense(four, [4])]);
    const root = pickle(dict([text('model'), dict([text('w'), dense(four, [2, 2])])], [text('optimizer'), optimizer]));
    expect(await places(root)).toEqual([
      ['model.w', 'model.w'],
      ['optimizer.exp_avg', 'optimizer.exp_avg'],
    ]);
  });

  it('stand there as the parameter they are wrapped in', async () => {
    const parameter = call(global('torch._utils', '_rebuild_parameter'), dense(four, [4]), bool(true), hooks);
    expect(await places(stateDict({ w: parameter }))).toEqual([['w', 'w']]);
  });

  it('that are made of parts lead to their parts', async () => {
    const layout = call(global('torch.serialization', '_get_layout'), text('torch.sparse_coo'));
    const data = tuple(dense(four, [1, 4]), dense(four, [4]), tuple(int(9)));
    const sparse = call(global('torch._utils', '_rebuild_sparse_tensor'), layout, data);
    const found = await places(stateDict({ s: sparse }));
    expect(found.map((place) => (Array.isArray(place) ? place[1] : place))).toEqual(['s.indices', 's.values']);
  });

  it('may be the root itself', async () => {
    expect(await places(pickle(dense(four, [4])))).toEqual([['data.pkl', 'tensor']]);
  });
});

describe('the trees and pickles of a model of several files', () => {
  it('are those of its shards, tensors and findings counted over all of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-tensor-places-'));
    const names = [1, 2].map((shard) => `m-0000${shard}-of-00002.bin`);
    const unknown = (name: string): Piece => call(global('mine', name));
    for (const [index, name] of names.entries()) {
      const root = stateDict({ [`w${index}`]: dense(four, [4]), x: unknown(`Class${index}`) });
      await writeFile(join(folder, name), torchFile(root, { 0: FOUR }));
    }
    const checkpoint = await inspectPath(join(folder, names[0] ?? ''));
    const { content } = checkpoint;
    expect(await placesOf(content)).toEqual([
      ['w0', 'w0'],
      ['w1', 'w1'],
    ]);
    expect(content.pickles?.map(({ name }) => name)).toEqual(names.map((name) => `${name}: data.pkl`));
    expect(content.pickleLog?.pickles.map(({ file }) => file)).toEqual(names);
    const told = checkpoint.findings.filter(({ code }) => code === 'pickle-unknown-import');
    expect(told.map(({ message, pickle: at }) => [/Class\d/.exec(message)?.[0], at?.place])).toEqual([
      ['Class0', 0],
      ['Class1', 1],
    ]);
    expect([checkpoint.summary.pickles, checkpoint.summary.valueTrees]).toEqual([2, 2]);
    checkpoint.close();
    await rm(folder, { recursive: true });
  });
});

describe('views', () => {
  const rowsOf = async (root: Uint8Array) => (await inspectBytes(torchFile(root, { 0: FOUR }), 'm.pt')).rows;

  it('carry strides, storage and offset; a tensor that has its storage for itself is none', async () => {
    const [plain] = await rowsOf(stateDict({ w: dense(four, [2, 2]) }));
    expect(plain?.view).toBeUndefined();
    const [turned] = await rowsOf(stateDict({ w: dense(four, [2, 2], { strides: [1, 2] }) }));
    expect(turned?.view).toMatchObject({ strides: [1, 2], offset: 0, storage: { bytes: 16, tensors: 1 } });
    const [part] = await rowsOf(stateDict({ w: dense(four, [2], { offset: 1 }) }));
    expect(part?.layout).toBe('contiguous');
    expect(part?.view).toMatchObject({ strides: [1], offset: 4, storage: { bytes: 16, tensors: 1 } });
    expect(part?.offset).toBe((part?.view?.storage.offset ?? 0) + 4);
  });

  it('tell how many tensors share the storage, those that fill it included', async () => {
    const rows = await rowsOf(stateDict({ a: dense(four, [4]), b: dense(four, [2, 2]), c: dense(four, [1]) }));
    expect(rows.map(({ view }) => view?.storage.tensors)).toEqual([3, 3, 3]);
    expect(rows.map(({ view }) => view?.strides)).toEqual([[1], [2, 1], [1]]);
  });
});
