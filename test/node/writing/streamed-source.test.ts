import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBytes } from '../../../src/core/bytes/checked-read.ts';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { openSource } from '../../../src/node/sources/open-source.ts';
import { StreamedFiles, streamedSource } from '../../../src/node/writing/streamed-source.ts';
import { buildChildScript, type ChildScript } from '../../support/child-script.ts';
import { fileBytes, header, octets } from '../../support/safetensors-bytes.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const close = closeAfterEach();

const file = (text: string): string => {
  const path = join(folders.make(), 'm');
  writeFileSync(path, text);
  return path;
};
const textOf = async (source: Parameters<typeof readBytes>[0], offset: number, length: number): Promise<string> =>
  Buffer.from(await readBytes(source, offset, length)).toString();

describe('a streamed source', () => {
  it('reads the same bytes', async () => {
    const { source, close: end } = await streamedSource(close(await openSource(file('0123456789'))));
    expect([source.size, await textOf(source, 3, 4), await textOf(source, 0, 10), await textOf(source, 10, 0)]).toEqual(
      [10, '3456', '0123456789', ''],
    );
    await end();
  });

  it('notices that the file was written to', async () => {
    const path = file('0123456789');
    const { source, close: end } = await streamedSource(close(await openSource(path)));
    truncateSync(path, 4);
    await expect(readBytes(source, 2, 8)).rejects.toMatchObject({ code: 'file-changed' });
    await expect(readBytes(source, 0, 2)).rejects.toMatchObject({ code: 'file-changed' });
    await end();
  });

  it('keeps to the file that was opened when another has its name, or it is gone', async () => {
    const path = file('0123456789');
    const original = close(await openSource(path));
    await rename(path, `${path}.moved`);
    expect((await streamedSource(original)).source).toBe(original);
    writeFileSync(path, 'abcdefghij');
    const { source } = await streamedSource(original);
    expect(await textOf(source, 0, 10)).toBe('0123456789');
  });

  it('is the source itself where that is no file', async () => {
    const memory = memorySource(new Uint8Array(3));
    expect((await streamedSource(memory)).source).toBe(memory);
  });
});

describe('streamed files', () => {
  it('are opened when asked for, and there is none behind the last', async () => {
    const files = new StreamedFiles([close(await openSource(file('aaa'))), close(await openSource(file('bbb')))]);
    for (const index of [0, 1, 1, 0]) {
      const source = await files.of(index);
      expect(source && (await textOf(source, 0, 3))).toBe(index === 0 ? 'aaa' : 'bbb');
    }
    expect(await files.of(2)).toBeUndefined();
    await files.close();
    await files.close();
  });
});

describe('a conversion', () => {
  const BYTES = 600_000_000;
  let child: ChildScript;
  beforeAll(async () => {
    child = await buildChildScript(new URL('./children/convert-and-measure.ts', import.meta.url));
  }, 60_000);
  afterAll(() => child.remove());

  it('of a tensor of 600 MB stays far below that in memory', async () => {
    const folder = folders.make();
    const [input, output] = [join(folder, 'in.safetensors'), join(folder, 'out.safetensors')];
    const head = fileBytes(header(octets('a', 0, BYTES)), 0);
    writeFileSync(input, head);
    truncateSync(input, head.length + BYTES);
    const { code, stdout, stderr } = await child.run([input, output]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(Number(stdout)).toBeLessThan(300_000_000);
    expect(statSync(output).size).toBeGreaterThan(BYTES);
    expect(readFileSync(output).subarray(0, 12).toString('latin1')).toContain('{"a"');
    rmSync(output);
  }, 120_000);
});
