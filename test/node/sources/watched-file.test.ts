import { appendFileSync, renameSync, truncateSync, unlinkSync, utimesSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ClosedError, FileChangedError } from '../../../src/core/errors.ts';
import { WatchedFile } from '../../../src/node/sources/watched-file.ts';
import { pattern, writeInto } from '../../support/file-sources.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
let opened: WatchedFile | undefined;
afterEach(() => opened?.close());

const open = (): { readonly file: WatchedFile; readonly path: string } => {
  const path = writeInto(folders.make(), pattern(100));
  opened = new WatchedFile(path);
  return { file: opened, path };
};

describe('a watched file', () => {
  it('that nobody touches is unchanged', () => {
    const { file } = open();
    expect(() => file.checkUnchanged()).not.toThrow();
    expect(file).toMatchObject({ name: 'm.safetensors', identity: { size: 100 } });
  });

  it('that shrank says from how much to how much', () => {
    const { file, path } = open();
    truncateSync(path, 40);
    expect(() => file.checkUnchanged()).toThrow(FileChangedError);
    expect(() => file.checkUnchanged()).toThrow('m.safetensors shrank from 100 to 40 bytes while it was open');
    expect(() => file.checkUnchanged()).toThrow(
      expect.objectContaining({ details: { file: 'm.safetensors', expected: 100, found: 40 } }),
    );
  });

  it('that grew, or has another time, was written to', async () => {
    const grown = open();
    appendFileSync(grown.path, 'x');
    expect(() => grown.file.checkUnchanged()).toThrow(/was written to while it was open; open it again/);
    grown.file.close();
    const touched = open();
    // Timestamps advance in ticks.
    await setTimeout(30);
    utimesSync(touched.path, new Date(), new Date());
    expect(() => touched.file.checkUnchanged()).toThrow(FileChangedError);
  });

  it('that was deleted or replaced is still the one that was opened', () => {
    const { file, path } = open();
    renameSync(writeInto(folders.make(), 'other'), path);
    expect(() => file.checkUnchanged()).not.toThrow();
    unlinkSync(path);
    expect(() => file.checkUnchanged()).not.toThrow();
  });

  it('that was closed has no descriptor any more', () => {
    const { file } = open();
    file.close();
    file.close();
    expect(() => file.descriptor).toThrow(ClosedError);
    expect(() => file.checkUnchanged()).toThrow('m.safetensors is closed');
  });
});
