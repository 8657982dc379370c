/**
 * A file that changes while it is open. Each case runs in a process of its own: where a mapping is touched behind the end of
 * its file the process ends (SIGBUS), and that must fail the test, not the run.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildChildScript, type ChildScript } from '../../support/child-script.ts';
import { pattern, writeInto } from '../../support/file-sources.ts';
import { skipBecause, skipOnWindows } from '../../support/skip-because.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
let child: ChildScript;
let race: ChildScript;
beforeAll(async () => {
  child = await buildChildScript(new URL('./children/change-while-open.ts', import.meta.url));
  race = await buildChildScript(new URL('./children/race-while-open.ts', import.meta.url));
}, 60_000);
afterAll(() => {
  child.remove();
  race.remove();
});

interface ReadOutcome {
  readonly bytes?: string;
  readonly error?: string;
  readonly message?: string;
}

const SIZE = 5 * 4096;
const content = pattern(SIZE);

/** What the reads gave after each event, in order; fails when the process did not live to tell. */
const outcomesOf = async (
  access: string,
  events: readonly string[],
  reads: readonly string[],
): Promise<readonly (readonly ReadOutcome[])[]> => {
  const path = writeInto(folders.make(), '');
  writeFileSync(`${path}.content`, content);
  const { code, signal, stdout, stderr } = await child.run([access, path, events.join(','), ...reads]);
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  const outcomes = stdout
    .trim()
    .split('\n')
    .map((line): readonly ReadOutcome[] => JSON.parse(line));
  expect(outcomes).toHaveLength(events.length);
  return outcomes;
};

describe.each(['mapped', 'mapped-without-populate', 'positioned'])('%s', (access) => {
  it('cut short, also inside a page: an error for every read, never zeros, never a crash', async (context) => {
    skipOnWindows(context, 'way to cut a mapped file');
    const reads = ['0+10', '4096+4096', `${SIZE - 10}+10`, `0+${SIZE}`, '8192+1', '9000+100', '0+0'];
    const sizes = [0, 1, 4095, 4096, 8192, 9000, SIZE - 1];
    for (const outcomes of await outcomesOf(
      access,
      sizes.map((size) => `cut:${size}`),
      reads,
    )) {
      expect(outcomes.map(({ error }) => error)).toEqual(reads.map(() => 'file-changed'));
      expect(outcomes.filter(({ bytes }) => bytes !== undefined)).toEqual([]);
      for (const { message } of outcomes) {
        expect(message).toMatch(/while it was open|it was cut/);
      }
    }
  });

  it('cut and grown again, appended to, written in place, touched: an error for every read', async (context) => {
    skipOnWindows(context, 'way to cut a mapped file');
    const events = [`cut-and-regrown:${SIZE}`, 'appended', 'written', 'touched'];
    const reads = ['0+10', `0+${SIZE}`, `${SIZE - 1}+1`];
    for (const outcomes of await outcomesOf(access, events, reads)) {
      expect(outcomes.map(({ error }) => error)).toEqual(reads.map(() => 'file-changed'));
    }
  });

  it('replaced by another or deleted: what was opened still reads', async (context) => {
    skipOnWindows(context, 'way to delete an open file');
    for (const outcomes of await outcomesOf(access, ['replaced', 'deleted'], [`0+${SIZE}`, '5000+3'])) {
      expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
      expect(Buffer.from(outcomes[0]?.bytes ?? '', 'base64').equals(content)).toBe(true);
      expect(outcomes[1]?.bytes).toBe(Buffer.from(content.subarray(5000, 5003)).toString('base64'));
    }
  });
});

describe('cut in the very moment of a read', () => {
  it.for([4 * 2 ** 20, 65_536])('of %i bytes: an error or the bytes, never a crash', async (size, context) => {
    if (process.platform !== 'linux') {
      skipBecause(context, 'only Linux copies out of a mapping by system call');
    }
    const path = writeInto(folders.make(), '');
    const { code, signal, stdout, stderr } = await race.run([path, '1500', `${size}`]);
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    const { read, refused }: { readonly read: number; readonly refused: number } = JSON.parse(stdout);
    expect(read + refused).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(0);
  });
});
