import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AtomicOptions,
  TEMPORARY_PREFIX,
  writeAtomically,
  writeFilesAtomically,
} from '../../../src/node/writing/atomic-file.ts';
import { CancelledError } from '../../../src/shared/errors.ts';
import { buildChildScript, type ChildScript } from '../../support/child-script.ts';
import { skipBecause, skipOnWindows } from '../../support/skip-because.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (path: string): string => readFileSync(path, 'utf8');

/** Writes texts one after the other. */
const write = (path: string, options: AtomicOptions, ...texts: readonly string[]): Promise<number> =>
  writeAtomically(path, options, async (target) => {
    for (const text of texts) {
      await target.write(utf8(text));
    }
  });

/** A folder that holds a file `m` of the text "old". */
const withOld = (): { readonly folder: string; readonly path: string } => {
  const folder = folders.make();
  const path = join(folder, 'm');
  writeFileSync(path, 'old');
  return { folder, path };
};

const stillOld = ({ folder, path }: { readonly folder: string; readonly path: string }): void => {
  expect(readdirSync(folder)).toEqual(['m']);
  expect(textOf(path)).toBe('old');
};

describe('a file', () => {
  it('is there whole, with what was written in order, and nothing beside it', async () => {
    const folder = folders.make();
    const path = join(folder, 'ünï 😀.f32');
    expect(await write(path, {}, 'one ', '', 'two ', 'x'.repeat(3_000_000))).toBe(3_000_008);
    expect(textOf(path)).toBe(`one two ${'x'.repeat(3_000_000)}`);
    expect(readdirSync(folder)).toEqual(['ünï 😀.f32']);
  });

  it('may be empty', async () => {
    const path = join(folders.make(), 'm');
    expect(await write(path, {})).toBe(0);
    expect(lstatSync(path).size).toBe(0);
  });

  it('does not appear under its name before it is finished', async () => {
    const folder = folders.make();
    const path = join(folder, 'm');
    await writeAtomically(path, {}, async (target) => {
      await target.write(utf8('half'));
      expect(existsSync(path)).toBe(false);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(new RegExp(`^\\${TEMPORARY_PREFIX}.*\\.tmp$`))]);
    });
    expect(textOf(path)).toBe('half');
  });
});

describe('a name that is taken', () => {
  it('is not replaced unasked, and nothing is written', async () => {
    const old = withOld();
    let asked = false;
    const writing = writeAtomically(old.path, {}, async () => {
      asked = true;
    });
    await expect(writing).rejects.toMatchObject({
      code: 'file-exists',
      message: `${old.path} exists already; nothing was written`,
    });
    expect(asked).toBe(false);
    stillOld(old);
  });

  it('that was taken meanwhile is not replaced either', async () => {
    const folder = folders.make();
    const path = join(folder, 'm');
    const writing = writeAtomically(path, {}, async (target) => {
      await target.write(utf8('new'));
      writeFileSync(path, 'old');
    });
    await expect(writing).rejects.toMatchObject({ code: 'file-exists' });
    stillOld({ folder, path });
  });

  it('is replaced when asked', async () => {
    const { folder, path } = withOld();
    expect(await write(path, { overwrite: true }, 'new')).toBe(3);
    expect(readdirSync(folder)).toEqual(['m']);
    expect(textOf(path)).toBe('new');
  });

  it('by a folder is refused, asked or not', async () => {
    const folder = folders.make();
    mkdirSync(join(folder, 'm'));
    for (const overwrite of [false, true]) {
      await expect(write(join(folder, 'm'), { overwrite }, 'new')).rejects.toMatchObject({ code: 'write-failed' });
    }
    expect(readdirSync(folder)).toEqual(['m']);
    expect(lstatSync(join(folder, 'm')).isDirectory()).toBe(true);
  });

  it('by a link is not written through', async (context) => {
    skipOnWindows(context, 'symlinks for everyone');
    const old = withOld();
    const folder = folders.make();
    const link = join(folder, 'link');
    for (const target of [old.path, join(folder, 'nowhere')]) {
      symlinkSync(target, link);
      await expect(write(link, {}, 'new')).rejects.toMatchObject({ code: 'file-exists' });
      await write(link, { overwrite: true }, 'new');
      expect(lstatSync(link).isSymbolicLink()).toBe(false);
      expect(textOf(link)).toBe('new');
      rmSync(link);
    }
    expect(readdirSync(folder)).toEqual([]);
    stillOld(old);
  });
});

describe('a failure leaves what was there, and nothing else', () => {
  it('when what fills the file throws: its own error is passed on', async () => {
    const old = withOld();
    const fault = new RangeError('no more values');
    const writing = writeAtomically(old.path, { overwrite: true }, async (target) => {
      await target.write(utf8('half'));
      throw fault;
    });
    await expect(writing).rejects.toBe(fault);
    stillOld(old);
  });

  it.each(['before', 'between', 'after'])('when it is cancelled %s writing', async (when) => {
    const old = withOld();
    const controller = new AbortController();
    const abortAt = (moment: string): void => {
      if (when === moment) {
        controller.abort();
      }
    };
    abortAt('before');
    const options = { overwrite: true, signal: controller.signal, what: 'the export' };
    const writing = writeAtomically(old.path, options, async (target) => {
      await target.write(utf8('half'));
      abortAt('between');
      if (when === 'between') {
        await target.write(utf8('more'));
      }
      abortAt('after');
    });
    await expect(writing).rejects.toThrow(CancelledError);
    await expect(writing).rejects.toThrow('the export was cancelled');
    stillOld(old);
  });

  it('when the folder is missing, or is a file', async () => {
    const old = withOld();
    await expect(write(join(old.folder, 'no', 'm'), {}, 'new')).rejects.toMatchObject({ code: 'write-failed' });
    await expect(write(join(old.path, 'm'), {}, 'new')).rejects.toMatchObject({ code: 'write-failed' });
    await expect(write(join(old.folder, 'no', 'm'), {}, 'new')).rejects.toThrow(join(old.folder, 'no', 'm'));
    stillOld(old);
  });

  it('when the disk is full', async (context) => {
    skipOnWindows(context, 'tmpfs');
    const folder = folders.make();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'pipe' });
    } catch (fault) {
      skipBecause(context, `a small file system cannot be mounted here: ${String(fault).split('\n')[0]}`);
    }
    try {
      const path = join(folder, 'm');
      writeFileSync(path, 'old');
      for (const overwrite of [true, false]) {
        const to = overwrite ? path : join(folder, 'other');
        const writing = write(to, { overwrite }, 'x'.repeat(100_000), 'y'.repeat(300_000));
        await expect(writing).rejects.toMatchObject({
          code: 'write-failed',
          message: `${to} was not written: the disk is full`,
        });
        stillOld({ folder, path });
      }
      // What fits still fits: the failed attempts gave their space back.
      expect(await write(path, { overwrite: true }, 'z'.repeat(150_000))).toBe(150_000);
    } finally {
      execFileSync('umount', [folder]);
    }
  });

  describe('when the process is killed', () => {
    let child: ChildScript;
    beforeAll(async () => {
      child = await buildChildScript(new URL('./children/write-and-wait.ts', import.meta.url));
    }, 60_000);
    afterAll(() => child.remove());

    it('in the middle of writing: the old file is as it was, and the next write tidies up', async (context) => {
      skipOnWindows(context, 'SIGKILL');
      const { folder, path } = withOld();
      const { signal, stdout } = await child.run([path], (_line, kill) => kill());
      expect({ signal, stdout }).toEqual({ signal: 'SIGKILL', stdout: 'half\n' });
      expect(textOf(path)).toBe('old');
      const left = readdirSync(folder).filter((name) => name !== 'm');
      expect(left).toEqual([expect.stringMatching(/^\.loupe-.*\.tmp$/)]);
      await write(join(folder, 'n'), {}, 'new');
      expect(readdirSync(folder).toSorted()).toEqual(['m', 'n']);
      expect(textOf(path)).toBe('old');
    });
  });
});

describe('writers at the same time', () => {
  const text = (writer: number): string => `${writer}`.repeat(50_000);

  it('without overwriting: one of them wins, and its file is whole', async () => {
    const folder = folders.make();
    const path = join(folder, 'm');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, writer) => write(path, {}, text(writer), text(writer))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(textOf(path)).toBe(text(winner).repeat(2));
    for (const outcome of outcomes) {
      expect(outcome.status === 'fulfilled' ? 'file-exists' : outcome.reason.code).toBe('file-exists');
    }
    expect(readdirSync(folder)).toEqual(['m']);
  });

  it('with overwriting: what stays is one writer’s whole file', async () => {
    const folder = folders.make();
    const path = join(folder, 'm');
    await Promise.all(
      Array.from({ length: 8 }, (_, writer) => write(path, { overwrite: true }, text(writer), text(writer))),
    );
    const left = textOf(path);
    expect(left).toBe(text(Number(left[0])).repeat(2));
    expect(readdirSync(folder)).toEqual(['m']);
  });
});

describe('leftovers', () => {
  it('of living processes, of other programs and of other machines stay', async () => {
    const folder = folders.make();
    await writeAtomically(join(folder, 'first'), {}, async () => {
      const [own = ''] = readdirSync(folder);
      const machine = own.split('-')[1] ?? '';
      expect(machine, `named after ${hostname()}`).toMatch(/^[0-9a-f]{8}$/);
      const dead = 2 ** 22 + 12_345;
      const kept = [
        `.loupe-${machine}-${process.ppid}-0123456789abcdef.tmp`,
        `.loupe-00000000-${dead}-0123456789abcdef.tmp`,
        `.loupe-${machine}-${dead}-0123456789abcdef.safetensors`,
        `.loupe-${machine}-${dead}-short.tmp`,
        `x.loupe-${machine}-${dead}-0123456789abcdef.tmp`,
      ];
      const gone = `.loupe-${machine}-${dead}-0123456789abcdef.tmp`;
      for (const name of [...kept, gone]) {
        writeFileSync(join(folder, name), 'x');
      }
      mkdirSync(join(folder, `.loupe-${machine}-${dead}-fedcba9876543210.tmp`));
      await write(join(folder, 'second'), {}, 'new');
      const names = readdirSync(folder);
      expect(names).toEqual(expect.arrayContaining([...kept, own, `.loupe-${machine}-${dead}-fedcba9876543210.tmp`]));
      expect(names).not.toContain(gone);
    });
  });
});

describe('several files', () => {
  const file = (path: string, text: string, fail?: () => void) => ({
    path,
    fill: async (target: { write(bytes: Uint8Array): Promise<void> }) => {
      await target.write(utf8(text));
      fail?.();
    },
  });
  const contents = (folder: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [
        name,
        lstatSync(join(folder, name)).isDirectory() ? '/' : textOf(join(folder, name)),
      ]),
    );

  it('are all there, with what each took', async () => {
    const folder = folders.make();
    const files = ['a', 'b', 'index'].map((name) => file(join(folder, name), name));
    expect(await writeFilesAtomically(files)).toEqual([1, 1, 5]);
    expect(contents(folder)).toEqual({ a: 'a', b: 'b', index: 'index' });
  });

  it('or none is: a failure in the last leaves nothing, and what was there', async () => {
    const folder = folders.make();
    writeFileSync(join(folder, 'a'), 'old');
    const fault = new Error('broken');
    const files = [
      file(join(folder, 'a'), 'a'),
      file(join(folder, 'b'), 'b'),
      file(join(folder, 'c'), 'c', () => {
        throw fault;
      }),
    ];
    await expect(writeFilesAtomically(files, { overwrite: true })).rejects.toBe(fault);
    expect(contents(folder)).toEqual({ a: 'old' });
  });

  it('or none is: one name that is taken refuses all before anything is written', async () => {
    const folder = folders.make();
    writeFileSync(join(folder, 'b'), 'old');
    const files = ['a', 'b', 'c'].map((name) => file(join(folder, name), name));
    await expect(writeFilesAtomically(files)).rejects.toMatchObject({ code: 'file-exists' });
    expect(contents(folder)).toEqual({ b: 'old' });
  });

  it.each([true, false])(
    'or none is: one that cannot be put in its place undoes the others (overwriting: %s)',
    async (overwrite) => {
      const folder = folders.make();
      if (overwrite) {
        for (const name of ['a', 'c']) {
          writeFileSync(join(folder, name), 'old');
        }
      }
      const files = [
        file(join(folder, 'a'), 'a'),
        // A folder takes the second name after all were found free.
        file(join(folder, 'b'), 'b', () => mkdirSync(join(folder, 'b', 'x'), { recursive: true })),
        file(join(folder, 'c'), 'c'),
      ];
      await expect(writeFilesAtomically(files, { overwrite })).rejects.toThrow();
      expect(contents(folder)).toEqual(overwrite ? { a: 'old', b: '/', c: 'old' } : { b: '/' });
    },
  );

  it('replace old ones together', async () => {
    const folder = folders.make();
    for (const name of ['a', 'index']) {
      writeFileSync(join(folder, name), 'old');
    }
    const files = ['a', 'b', 'index'].map((name) => file(join(folder, name), name));
    await writeFilesAtomically(files, { overwrite: true });
    expect(contents(folder)).toEqual({ a: 'a', b: 'b', index: 'index' });
  });
});
