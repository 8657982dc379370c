import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanForCommand } from '../../src/cli/scan-for-command.ts';
import { inspectPath } from '../../src/node/open-checkpoint.ts';
import { entry, fileBytes, member } from '../support/safetensors-bytes.ts';
import { closeAfterEach, temporaryFolders } from '../support/temporary-folder.ts';

const folders = temporaryFolders();
const close = closeAfterEach();

describe('scanForCommand', () => {
  it('gives one result for each id, in the order asked for, whatever order they end in', async () => {
    const path = join(folders.make(), 'm.safetensors');
    const header = `{${member('a', entry('F32', '[2]', '[0,8]'))},${member('b', entry('I8', '[3]', '[8,11]'))},${member('c', entry('F32', '[0]', '[11,11]'))}}`;
    writeFileSync(path, fileBytes(header, Uint8Array.of(0, 0, 0x80, 0x3f, 0, 0, 0x80, 0xbf, 1, 2, 0xff)));
    const results = await scanForCommand(close(await inspectPath(path)), [2, 1, 0], 4);
    expect(results.map(({ tensorId }) => tensorId)).toEqual([2, 1, 0]);
    const stats = results.map((result) => ('scanned' in result ? result.scanned.stats : result.error));
    expect(stats).toMatchObject([
      { name: 'c', count: 0, min: undefined },
      { name: 'b', count: 3, min: -1, max: 2 },
      { name: 'a', count: 2, min: -1, max: 1, mean: 0 },
    ]);
  });

  it('gives the error of a tensor that cannot be scanned beside the statistics of the others', async () => {
    const path = join(folders.make(), 'm.safetensors');
    const header = `{${member('a', entry('F32', '[1]', '[0,4]'))},${member('b', entry('F6_E2M3', '[4]', '[4,7]'))}}`;
    writeFileSync(path, fileBytes(header, 7));
    const [a, b] = await scanForCommand(close(await inspectPath(path)), [0, 1], 4);
    expect(a).toMatchObject({ tensorId: 0, scanned: { stats: { count: 1, zeros: 1 } } });
    expect(b).toMatchObject({ tensorId: 1, error: { code: 'f6-bit-order' } });
  });
});
