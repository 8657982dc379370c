import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFolder, startFolder, TOP } from '../../src/server/list-folder.ts';
import { createPermittedRoots, isInside, isRemote } from '../../src/server/permitted-roots.ts';

let base = '';
const at = (...names: string[]): string => join(base, ...names);

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'loupe-roots-')));
  for (const folder of ['in/models/deep', 'in/.cache', 'blobs', 'out', 'in-fact']) {
    mkdirSync(at(folder), { recursive: true });
  }
  for (const [file, text] of [
    ['in/model-10.bin', 'x'],
    ['in/model-2.bin', 'xyz'],
    ['blobs/sha', 'blob'],
    ['out/secret', 's'],
    ['in-fact/x', 'x'],
  ] as const) {
    writeFileSync(at(file), text);
  }
  symlinkSync(at('out'), at('in/escape'));
  symlinkSync(at('out/secret'), at('in/secret-link'));
  symlinkSync(at('blobs/sha'), at('in/linked.bin'));
  symlinkSync(at('nowhere'), at('in/broken'));
  symlinkSync(at('out/new'), at('in/dangling-out'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const roots = () => createPermittedRoots([at('in'), at('blobs')]);

describe('inside', () => {
  it.each([
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/a/..b', true],
    ['/a', '/ab', false],
    ['/a', '/', false],
    ['/a/b', '/a', false],
    ['/', '/a', true],
  ])('%s, is %s: %s', (folder, path, answer) => {
    expect(isInside(folder, path)).toBe(answer);
  });
});

describe('a path that leads to another machine', () => {
  it.each(['\\\\evil\\share\\x', '//evil/share/x', '\\\\?\\UNC\\evil\\share', '\\\\.\\pipe\\x', '/\\evil\\share'])(
    'is told by its form under Windows: %s',
    (path) => {
      expect(isRemote(path, 'win32')).toBe(true);
      expect(isRemote(path, 'linux')).toBe(false);
    },
  );

  it.each(['C:\\models\\x', 'C:/models', '\\models', '/models', 'models'])('is not %s', (path) => {
    expect(isRemote(path, 'win32')).toBe(false);
  });
});

describe('permitted roots', () => {
  it('leave out what does not exist and what lies in another', async () => {
    const { folders } = await createPermittedRoots([at('in'), at('in/models'), at('missing'), at('in')]);
    expect(folders).toEqual([at('in')]);
  });

  it('let existing paths pass as they were given, links and all', async () => {
    const { existing } = await roots();
    expect(await existing(at('in/model-2.bin'))).toBe(at('in/model-2.bin'));
    expect(await existing(at('in'))).toBe(at('in'));
    expect(await existing(at('in/linked.bin'))).toBe(at('in/linked.bin'));
    expect(await existing(relative(process.cwd(), at('in/models')))).toBe(at('in/models'));
  });

  it.each([
    'out/secret',
    'out',
    '',
    'in/../out/secret',
    'in/secret-link',
    'in/escape',
    'in/escape/secret',
    'in-fact/x',
    'out/missing',
  ])('refuse "%s"', async (path) => {
    await expect((await roots()).existing(at(path))).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it('say of a missing file that it is missing only inside', async () => {
    const { existing } = await roots();
    await expect(existing(at('in/missing'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(existing(at('in/broken'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(existing(at('missing'))).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it('let a file be written where its folder lies inside', async () => {
    const { target } = await roots();
    expect(await target(at('in/models/new.f32'))).toBe(at('in/models/new.f32'));
    expect(await target(at('in/model-2.bin'))).toBe(at('in/model-2.bin'));
  });

  it.each(['out/new.f32', 'in/escape/new.f32', 'in/secret-link', 'in/../new.f32', 'in/models/../../new.f32'])(
    'refuse to write "%s"',
    async (path) => {
      await expect((await roots()).target(`${base}${sep}${path}`)).rejects.toMatchObject({ code: 'not-permitted' });
    },
  );

  it('refuse to write into a folder that does not exist', async () => {
    await expect((await roots()).target(at('in/none/new.f32'))).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a place to write into', () => {
  it('is a folder that is there, a root included, and leads where it really is', async () => {
    const { output } = await roots();
    expect(await output(at('in'))).toBe(at('in'));
    expect(await output(at('in/models'))).toBe(at('in/models'));
    symlinkSync(at('blobs'), at('in/to-blobs'));
    expect(await output(at('in/to-blobs'))).toBe(at('blobs'));
    rmSync(at('in/to-blobs'));
  });

  it('is a file or a folder that is not there yet where the one above is', async () => {
    const { output } = await roots();
    expect(await output(at('in/new'))).toBe(at('in/new'));
    expect(await output(at('in/model-2.bin'))).toBe(at('in/model-2.bin'));
    await expect(output(at('in/none/new'))).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each(['out', 'out/new', 'in/escape', 'in/escape/new', 'in/secret-link', 'new', ''])(
    'is not "%s"',
    async (path) => {
      await expect((await roots()).output(at(path))).rejects.toMatchObject({ code: 'not-permitted' });
    },
  );
});

describe('a folder listing', () => {
  it('shows folders first, in natural order, links that stay inside, and no others', async () => {
    const listing = await listFolder(at('in'), await roots());
    expect(listing.entries.map(({ name }) => name)).toEqual([
      '.cache',
      'models',
      'linked.bin',
      'model-2.bin',
      'model-10.bin',
    ]);
    expect(listing.entries.find(({ name }) => name === 'model-2.bin')).toMatchObject({
      path: at('in/model-2.bin'),
      folder: false,
      bytes: 3,
    });
  });

  it('leads up to the top of what may be seen, which lists the roots', async () => {
    const several = await roots();
    expect((await listFolder(at('in/models/deep'), several)).parent).toBe(at('in/models'));
    expect((await listFolder(at('in'), several)).parent).toBe(TOP);
    const top = await listFolder(TOP, several);
    expect(top.parent).toBeUndefined();
    expect(top.isTop).toBe(true);
    expect(top.entries.map(({ path, folder }) => [path, folder])).toEqual([
      [at('in'), true],
      [at('blobs'), true],
    ]);
  });

  it('has no top beside a single root', async () => {
    const one = await createPermittedRoots([at('in')]);
    expect((await listFolder(at('in'), one)).parent).toBeUndefined();
    await expect(listFolder(TOP, one)).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it.each(['out', 'in/escape', 'in/../out'])('of "%s" is refused', async (path) => {
    await expect(listFolder(at(path), await roots())).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it('of a file is refused, of nothing is not found', async () => {
    await expect(listFolder(at('in/model-2.bin'), await roots())).rejects.toMatchObject({ code: 'not-permitted' });
    await expect(listFolder(at('in/none'), await roots())).rejects.toMatchObject({ code: 'not-found' });
  });

  it('starts beside the file the program was started with, else at the first root', async () => {
    expect(startFolder([at('blobs/sha')], await roots())).toBe(at('blobs'));
    expect(startFolder([], await roots())).toBe(at('in'));
  });
});
