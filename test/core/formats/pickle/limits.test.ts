import { describe, expect, it } from 'vitest';
import { LONGEST_LONG, LONGEST_NUMBER_TEXT, type PickleLimits } from '../../../../src/core/formats/pickle/limits.ts';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { global, little, names, type Part, stream } from './pickle-bytes.ts';

const limited = (limits: Partial<PickleLimits>, ...parts: readonly Part[]) => runPickle(stream(...parts), { limits });

const repeated = (text: string, times: number): string => text.repeat(times);

describe('bounds', () => {
  it.each<[keyof PickleLimits, string]>([
    ['steps', repeated('N0', 10)],
    ['nodes', repeated('N0', 10)],
    ['stack', repeated('N', 10)],
    ['stack', `N${repeated('2', 10)}`],
    ['marks', repeated('(', 10)],
    ['nesting', `N${repeated('\x85', 10)}`],
    ['memo', `N${repeated('\x94', 10)}`],
  ])('%s: the run ends there, and what came before is kept', (name, text) => {
    const outcome = limited({ [name]: 5 }, global('os', 'system'), '0', text, 'N.');
    expect(outcome.outcome).toBe('limit');
    expect(outcome.root).toBeUndefined();
    expect(outcome.problem?.message).toMatch(/over 5 |over 5$/);
    expect(names(outcome)).toEqual(['os system']);
    expect(outcome.steps).toBeLessThan(20);
  });

  it.each<[keyof PickleLimits, number, string]>([
    ['steps', 4, 'N0N.'],
    ['nodes', 2, 'N0N.'],
    ['stack', 3, 'NNN.'],
    ['marks', 2, '((t0t.'],
    ['nesting', 2, 'N\x85\x85\x85.'],
    ['memo', 2, 'N\x94\x94.'],
  ])('%s: exactly %d are allowed', (name, most, text) => {
    expect(limited({ [name]: most }, text).outcome).toBe('complete');
    expect(limited({ [name]: most - 1 }, text).outcome).toBe('limit');
  });

  it('a slot used twice is one slot, and no number of a slot is too large', () => {
    expect(limited({ memo: 1 }, 'Nq\x00q\x00q\x00.').outcome).toBe('complete');
    expect(limited({ memo: 1 }, 'Nr\x00\x00\x00\x80.').outcome).toBe('complete');
    expect(limited({ memo: 1 }, 'Np9007199254740991\ng9007199254740991\n.').outcome).toBe('complete');
    expect(limited({}, 'Np9007199254740992\n.').outcome).toBe('broken');
  });
});

describe('numbers that a file only claims', () => {
  it.each([
    ['X', little(0xffffffff, 4)],
    ['B', little(0xffffffff, 4)],
    ['T', little(0x7fffffff, 4)],
    ['\x8b', little(0x7fffffff, 4)],
    ['\x8d', little(2 ** 48, 8)],
    ['\x8e', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ['\x96', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ])('a length in %j beyond the end is a stream cut off', (opcode, length) => {
    const { problem, nodes } = runPickle(stream(opcode, length, 'abc'));
    expect(problem).toEqual(expect.objectContaining({ offset: 0, cutOff: true }));
    expect(nodes).toBe(0);
  });

  it('bytes are views of the stream', () => {
    const bytes = stream('C\x02ab.');
    const { root } = runPickle(bytes);
    expect(root?.kind === 'bytes' && root.value.buffer === bytes.buffer).toBe(true);
  });

  it('integers have a length at which they are given up', () => {
    const long = (length: number) => runPickle(stream('\x8b', little(length, 4), new Uint8Array(length).fill(1), '.'));
    expect(long(LONGEST_LONG).outcome).toBe('complete');
    expect(long(LONGEST_LONG + 1).outcome).toBe('limit');
    const text = (length: number) => runPickle(stream(`L${'1'.repeat(length)}\n.`));
    expect(text(LONGEST_NUMBER_TEXT).outcome).toBe('complete');
    expect(text(LONGEST_NUMBER_TEXT + 1).outcome).toBe('limit');
  });
});
