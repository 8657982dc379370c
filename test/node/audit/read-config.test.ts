import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfigBeside } from '../../../src/node/audit/read-config.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();

it('a config that may not be opened is as good as absent', async () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'config.json'), '{"model_type":"llama"}');
  const model = join(folder, 'model.safetensors');
  expect(await readConfigBeside(model)).toEqual({ kind: 'read', config: { model_type: 'llama' } });
  const asked: string[] = [];
  const refusing = (path: string): Promise<never> => {
    asked.push(path);
    return Promise.reject(new Error('not permitted'));
  };
  expect(await readConfigBeside(model, refusing)).toEqual({ kind: 'absent' });
  expect(asked).toEqual([join(folder, 'config.json')]);
});

it('nothing of what it holds is repeated: it may be a link to a secret', async () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'secret'), 'hunter2: not JSON');
  symlinkSync(join(folder, 'secret'), join(folder, 'config.json'));
  const beside = await readConfigBeside(join(folder, 'model.safetensors'));
  expect(beside).toEqual({ kind: 'unreadable', reason: 'it is not JSON' });
});
