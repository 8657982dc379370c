import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { shardName } from '../../e2e/support/make-model.ts';
import { type MadeTensor, safetensorsBytes } from '../../e2e/support/make-safetensors.ts';
import { bertLike, llamaLike, moeLike } from '../../support/healthy-models.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { fixture, runLoupe } from '../support/run-loupe.ts';

const folders = temporaryFolders();
const SHARDS = 3;

const LARGE = { layers: 4, hidden: 32, inner: 64, vocabulary: 64, keyValue: 16 };

const indexText = (weightMap: Readonly<Record<string, string>>): string =>
  JSON.stringify({ metadata: {}, weight_map: weightMap });

/** The model in one folder, and each of its shards alone in a folder of its own, as on several machines. */
const spread = (tensors: readonly MadeTensor[]): { whole: string; parts: string[] } => {
  const folder = folders.make();
  const whole = join(folder, 'whole');
  mkdirSync(whole);
  const weightMap: Record<string, string> = {};
  const parts = Array.from({ length: SHARDS }, (_, shard) => {
    const own = tensors.filter((_tensor, at) => Math.floor((at * SHARDS) / tensors.length) === shard);
    const name = shardName(shard + 1, SHARDS);
    for (const tensor of own) {
      weightMap[tensor.name] = name;
    }
    const bytes = safetensorsBytes(own);
    writeFileSync(join(whole, name), bytes);
    const alone = join(folder, `machine-${shard}`);
    mkdirSync(alone);
    writeFileSync(join(alone, name), bytes);
    return join(alone, name);
  });
  writeFileSync(join(whole, 'model.safetensors.index.json'), indexText(weightMap));
  return { whole, parts };
};

const stdoutOf = async (...parameters: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runInProcess(...parameters);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

/** Runs `stats` on each part and keeps what it prints. */
const scanParts = async (parts: readonly string[], ...flags: readonly string[]): Promise<string[]> => {
  const written: string[] = [];
  for (const part of parts) {
    const path = `${part}.${flags.length}.json`;
    writeFileSync(path, await stdoutOf('stats', part, '--all', '--json', ...flags));
    written.push(path);
  }
  return written;
};

describe('loupe merge', () => {
  const models = [
    ['Llama', llamaLike(LARGE)],
    ['BERT, of floats and integers', bertLike(3, 16, 64)],
    ['a mixture of experts', moeLike(2, 4, 16)],
  ] as const;

  it.each(models)('gives byte for byte what one machine gives for the whole: %s', async (_, tensors) => {
    const { whole, parts } = spread(tensors);
    const plain = await scanParts(parts);
    expect(await stdoutOf('merge', '--json', ...plain)).toBe(await stdoutOf('stats', whole, '--all', '--json'));
    const withState = await scanParts(parts, '--state');
    const folded = await stdoutOf('stats', whole, '--all', '--folders', '--json');
    expect(await stdoutOf('merge', '--folders', '--json', ...withState)).toBe(folded);
    // In any order of the parts, and text as well.
    expect(await stdoutOf('merge', '--folders', '--json', ...withState.toReversed())).toBe(folded);
    expect(await stdoutOf('merge', '--folders', ...withState)).toBe(
      await stdoutOf('stats', whole, '--all', '--folders'),
    );
    // What was merged merges again.
    const [first = '', ...others] = withState;
    const some = `${first}.some.json`;
    writeFileSync(some, await stdoutOf('merge', '--state', '--json', ...others));
    expect(await stdoutOf('merge', '--state', '--json', first, some)).toBe(
      await stdoutOf('stats', whole, '--all', '--state', '--json'),
    );
  });

  it('works in the built program as here', async () => {
    const { parts } = spread(llamaLike(LARGE));
    const files = await scanParts(parts, '--state');
    const built = await runLoupe('merge', '--folders', '--json', ...files);
    expect(built).toEqual({ code: 0, stderr: '', stdout: await stdoutOf('merge', '--folders', '--json', ...files) });
  });

  it('sums up a folder over what is below it', async () => {
    const { whole } = spread(llamaLike(LARGE));
    const items: unknown = JSON.parse(await stdoutOf('stats', whole, '--all', '--folders', '--json'));
    const list = Array.isArray(items) ? items : [];
    const tensors = list.filter((item) => !('folder' in item));
    const model = list.find((item) => item.folder === null);
    const count = (of: readonly { count: number }[]): number => of.reduce((sum, item) => sum + item.count, 0);
    expect(model).toMatchObject({
      tensors: tensors.length,
      floats: { dtype: 'BF16+F32', count: count(tensors), exact: false },
    });
    expect(model.unread).toBeUndefined();
    const layer = list.find((item) => item.folder === 'model.layers.2');
    expect(layer.floats.count).toBe(count(tensors.filter(({ name }) => name.startsWith('model.layers.2.'))));
    expect(list.find((item) => item.folder === 'model.layers.2.mlp').floats).toMatchObject({
      dtype: 'BF16',
      exact: true,
    });
  });

  describe('refuses', () => {
    let part = '';
    let state = '';
    beforeAll(async () => {
      const folder = folders.make();
      part = join(folder, 'part.json');
      state = join(folder, 'state.json');
      writeFileSync(part, await stdoutOf('stats', fixture('good/all_dtypes.safetensors'), 'f16', 'i64', '--json'));
      writeFileSync(
        state,
        await stdoutOf('stats', fixture('good/all_dtypes.safetensors'), 'f16', 'i64', '--json', '--state'),
      );
    });

    const changed = (path: string, change: (text: string) => string): string => {
      const other = `${path}.changed`;
      writeFileSync(other, change(readFileSync(path, 'utf8')));
      return other;
    };

    it('folders without states, and states that do not give their numbers', async () => {
      expect((await runInProcess('merge', part, '--folders')).stderr).toMatch(/has no state/);
      expect((await runInProcess('merge', part, '--state', '--json')).code).toBe(2);
      expect((await runInProcess('merge', state, '--folders')).code).toBe(0);
      const tampered = changed(state, (text) => text.replace('"zeros":0', '"zeros":1'));
      expect(await runInProcess('merge', tampered, '--folders')).toMatchObject({
        code: 4,
        stderr: /does not give its numbers/,
      });
      const broken = changed(state, (text) => text.replace('"steps":[', '"steps":[0,'));
      expect(await runInProcess('merge', broken, '--folders')).toMatchObject({ code: 4 });
    });

    it('two parts that hold one tensor differently, but not the same twice', async () => {
      const other = changed(part, (text) => text.replace('"nan":1', '"nan":2'));
      expect(await runInProcess('merge', part, other)).toMatchObject({
        code: 2,
        stderr: /"f16" of all_dtypes.safetensors/,
      });
      expect((await runInProcess('merge', part, part, '--json')).stdout).toBe(
        (await runInProcess('merge', part, '--json')).stdout,
      );
    });

    it('what is no list of statistics', async () => {
      const folder = folders.make();
      for (const text of ['', '{}', '[1]', '[{"name":"x"}]', '[null]', '\u0000', '[{"folder":1}]']) {
        const path = join(folder, 'odd.json');
        writeFileSync(path, text);
        expect(await runInProcess('merge', path), text).toMatchObject({ code: 2, stdout: '' });
      }
      writeFileSync(join(folder, 'latin.json'), Uint8Array.of(0xff));
      expect((await runInProcess('merge', join(folder, 'latin.json'))).stderr).toMatch(/UTF-8/);
      expect((await runInProcess('merge', join(folder, 'absent.json'))).code).toBe(2);
      expect((await runInProcess('merge')).code).toBe(2);
    });

    it('parts of different bins', async () => {
      const folder = folders.make();
      const other = join(folder, 'bins.json');
      const args = ['bf16', '--bins', '3', '--json', '--state'];
      writeFileSync(other, await stdoutOf('stats', fixture('good/all_dtypes.safetensors'), ...args));
      expect((await runInProcess('merge', state, other, '--folders')).stderr).toMatch(/different --bins/);
    });
  });
});
