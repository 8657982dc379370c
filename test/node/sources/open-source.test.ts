import { renameSync, truncateSync, unlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../../../src/core/bytes/checked-read.ts';
import { FileChangedError, OpenFileError } from '../../../src/core/errors.ts';
import { openSameSource, openSource } from '../../../src/node/sources/open-source.ts';
import { pattern, writeInto } from '../../support/file-sources.ts';
import { skipOnWindows } from '../../support/skip-because.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const keep = closeAfterEach();

describe('opening a path', () => {
  it('maps where the system can', async (context) => {
    skipOnWindows(context, 'mapper that was tried yet');
    const source = keep(await openSource(writeInto(folders.make(), pattern(10))));
    expect(source.access).toBe('mapped');
    expect(await readBytes(source, 3, 4)).toEqual(pattern(10).slice(3, 7));
  });

  it('reads by position what no system maps', async (context) => {
    skipOnWindows(context, '/proc');
    // A file of /proc has no size; a mapping of nothing is no mapping.
    const source = keep(await openSource('/proc/self/status'));
    expect(source.size).toBe(0);
  });

  it('refuses what is no regular file', async () => {
    await expect(openSource(folders.make())).rejects.toThrow(OpenFileError);
    await expect(openSource('/no/such/file')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('opening the same file again', () => {
  it('gives the same bytes while it is the same', async () => {
    const path = writeInto(folders.make(), pattern(100));
    const { identity } = keep(await openSource(path));
    expect(await readBytes(keep(await openSameSource(path, identity)), 0, 100)).toEqual(pattern(100));
    expect(await readBytes(keep(await openSameSource(path, structuredClone(identity))), 5, 1)).toEqual(
      pattern(100).slice(5, 6),
    );
  });

  it('refuses another file at its path, even one with the same content', async () => {
    const path = writeInto(folders.make(), pattern(100));
    const { identity } = keep(await openSource(path));
    renameSync(writeInto(folders.make(), pattern(100)), path);
    await expect(openSameSource(path, identity)).rejects.toThrow(FileChangedError);
    await expect(openSameSource(path, identity)).rejects.toThrow(/was replaced or written to since it was opened/);
  });

  it('refuses another length', async () => {
    const path = writeInto(folders.make(), pattern(100));
    const { identity } = keep(await openSource(path));
    truncateSync(path, 99);
    await expect(openSameSource(path, identity)).rejects.toThrow(FileChangedError);
  });

  it('says when it is gone', async () => {
    const path = writeInto(folders.make(), pattern(100));
    const source = await openSource(path);
    source.close();
    unlinkSync(path);
    await expect(openSameSource(path, source.identity)).rejects.toMatchObject({ code: 'not-found' });
  });
});
