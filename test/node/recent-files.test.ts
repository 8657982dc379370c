import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecentFiles, RECENT_LIMIT } from '../../src/node/recent-files.ts';

describe('recent files', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loupe-recents-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const paths = (recents: ReturnType<typeof openRecentFiles>): readonly string[] =>
    recents.list().map(({ path }) => path);

  it('is empty at first', () => {
    expect(openRecentFiles({ folder }).list()).toEqual([]);
  });

  it('keeps the newest on top and moves a known path there', () => {
    let time = 0;
    const recents = openRecentFiles({ folder, now: () => ++time });
    recents.add('/a');
    recents.add('/b');
    recents.add('/a');
    expect(recents.list()).toEqual([
      { path: '/a', openedAt: 3 },
      { path: '/b', openedAt: 2 },
    ]);
  });

  it('is seen by another process that shares the settings', () => {
    const one = openRecentFiles({ folder });
    const other = openRecentFiles({ folder });
    one.add('/a');
    other.add('/b');
    expect(paths(one)).toEqual(['/b', '/a']);
    one.forget();
    expect(paths(other)).toEqual([]);
  });

  it(`keeps at most ${RECENT_LIMIT}`, () => {
    const recents = openRecentFiles({ folder });
    for (let index = 0; index < RECENT_LIMIT + 5; index += 1) {
      recents.add(`/file-${index}`);
    }
    expect(recents.list()).toHaveLength(RECENT_LIMIT);
    expect(paths(recents)[0]).toBe(`/file-${RECENT_LIMIT + 4}`);
  });

  it('leaves one settings file that only its owner may read', () => {
    openRecentFiles({ folder }).add('/a');
    expect(readdirSync(folder)).toEqual(['recent-files.json']);
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, 'recent-files.json')).mode & 0o077).toBe(0);
    }
  });

  it('starts anew from a settings file that is damaged or holds something else', () => {
    const file = join(folder, 'recent-files.json');
    writeFileSync(file, '{"files": [');
    expect(openRecentFiles({ folder }).list()).toEqual([]);
    writeFileSync(file, JSON.stringify({ files: [{ path: 7 }, null, { path: '/a', openedAt: 1, more: 2 }, 'x'] }));
    expect(paths(openRecentFiles({ folder }))).toEqual(['/a']);
    writeFileSync(file, JSON.stringify({ files: 3 }));
    expect(openRecentFiles({ folder }).list()).toEqual([]);
  });

  it('remembers for the life of the process where nothing can be written', () => {
    const blocked = join(folder, 'a-file');
    writeFileSync(blocked, '');
    const recents = openRecentFiles({ folder: join(blocked, 'settings') });
    recents.add('/a');
    expect(paths(recents)).toEqual(['/a']);
    recents.forget();
    expect(recents.list()).toEqual([]);
  });
});
