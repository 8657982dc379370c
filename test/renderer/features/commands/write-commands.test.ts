import { expect, it } from 'vitest';
import { commandPath } from '../../../../src/renderer/features/commands/command-path.ts';
import { convertCommand, exportCommand } from '../../../../src/renderer/features/commands/write-commands.ts';
import { makeMockModel } from '../../../../src/renderer/mock/mock-model.ts';

it('an export as a command line', () => {
  expect(exportCommand({ path: '/m/a b', include: 'm.*', folder: '/out', format: 'npy', dtype: 'native' })).toBe(
    "loupe export '/m/a b' --include 'm.*' --format npy --dtype native --output /out",
  );
  expect(exportCommand({ path: '-m', include: '-a', folder: '-out', format: 'f32' })).toBe(
    "loupe export '--include=-a' --format f32 '--output=-out' -- '-m'",
  );
});

it('a conversion as a command line', () => {
  const plain = { path: '/m', output: '/out', include: [], exclude: [], metadata: [] };
  expect(convertCommand(plain)).toBe('loupe convert /m --output /out');
  expect(
    convertCommand({
      ...plain,
      include: ['a.*', 'b'],
      exclude: ["it's"],
      shardSize: '500MB',
      metadata: [['k', 'two words\n']],
    }),
  ).toBe(
    "loupe convert /m --include 'a.*' --include b --exclude 'it'\\''s' --max-shard-size 500MB " +
      "--metadata $'k=two words\\x0a' --output /out",
  );
});

it('names a sharded model by what was opened', () => {
  const { summary } = makeMockModel(1);
  const shards = [{ path: '/m/1', bytes: 1, tensors: 1, present: true }];
  const state = { path: '/m/1', openedPath: '/m', title: 'm', summary };
  expect(commandPath(state)).toBe('/m/1');
  expect(commandPath({ ...state, summary: { ...summary, shards } })).toBe('/m');
  expect(commandPath({ ...state, path: undefined, openedPath: undefined })).toBe('m');
});
