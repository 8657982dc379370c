import { describe, expect, it } from 'vitest';
import { firstShown, shownGrades } from '../../../../src/renderer/features/pickle/grades.tsx';
import { missingParts } from '../../../../src/renderer/features/pickle/missing-parts.ts';
import { eventLine, pickleName } from '../../../../src/renderer/features/pickle/pickle-place.ts';
import type { PickleInfo, PickleOverview } from '../../../../src/shared/pickle-types.ts';

const NONE = { dangerous: 0, unknown: 0, allowed: 0 };
const info = (rest: Partial<PickleInfo> = {}): PickleInfo => ({
  file: 'm.pt',
  member: 'm/data.pkl',
  label: '',
  protocol: 2,
  bytes: 10,
  counts: NONE,
  problem: undefined,
  ...rest,
});
const overview = (pickles: readonly PickleInfo[], unlisted = 0): PickleOverview => ({
  pickles,
  counts: NONE,
  unlisted,
  trees: [],
});

describe('what is listed at first', () => {
  it('is what matters, and everything only where nothing does', () => {
    expect(shownGrades(firstShown({ dangerous: 1, unknown: 0, allowed: 9 }))).toEqual(['dangerous', 'unknown']);
    expect(shownGrades(firstShown({ dangerous: 0, unknown: 0, allowed: 9 }))).toHaveLength(3);
  });
});

describe('words', () => {
  it('name a pickle by its member or file, and by where it is inside', () => {
    expect(pickleName(info())).toBe('m/data.pkl');
    expect(pickleName(info({ member: undefined, label: 'in the pickle from byte 9' }))).toBe(
      'm.pt, in the pickle from byte 9',
    );
  });

  it('tell an event in one line', () => {
    const row = {
      pickle: 0,
      kind: 'call',
      what: 'os.system',
      args: '("id")',
      opcode: 'REDUCE',
      byte: 37,
      offset: 101,
      grade: 'dangerous',
      why: 'runs commands',
    } as const;
    const line = 'Danger: Call os.system("id") – runs commands (REDUCE at byte 37';
    expect(eventLine(row, info())).toBe(`${line} of m/data.pkl)`);
    expect(eventLine(row, undefined)).toBe(`${line})`);
  });

  it('say what is missing from the list', () => {
    const cut = info({ problem: 'broken at byte 3: 0xff is no opcode' });
    expect(missingParts(overview([info()]))).toEqual([]);
    expect(missingParts(overview([info(), cut]))).toEqual(['m/data.pkl: broken at byte 3: 0xff is no opcode']);
    expect(missingParts(overview([cut, cut, cut, cut, cut]))).toHaveLength(4);
    expect(missingParts(overview([], 1))[0]).toMatch(/^1 pickle was graded but not listed/);
    expect(missingParts(overview([info({ problem: 'x\u202e' })]))[0]).toContain('\\u{202e}');
  });
});
