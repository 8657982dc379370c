import { describe, expect, it } from 'vitest';
import { EXIT, exitOfError, exitOfVerdict } from '../../src/cli/exit-codes.ts';
import { finding, verdictOf } from '../../src/shared/findings.ts';

describe('exit codes', () => {
  it('are the numbers of the contract', () => {
    expect(EXIT).toEqual({ done: 0, strictWarnings: 1, usage: 2, incomplete: 3, damaged: 4, dangerous: 5 });
  });

  it('give each verdict its number, and warnings one only when strict', () => {
    const verdicts = ['clean', 'warnings', 'incomplete', 'damaged', 'dangerous'] as const;
    expect(verdicts.map((verdict) => exitOfVerdict(verdict, false))).toEqual([0, 0, 3, 4, 5]);
    expect(verdicts.map((verdict) => exitOfVerdict(verdict, true))).toEqual([0, 1, 3, 4, 5]);
  });

  it('stay the worst one however findings are ordered', () => {
    const found = (['has-nan', 'git-lfs-pointer', 'file-changed', 'pickle-dangerous-call'] as const).map((code) =>
      finding(code, 'x', { file: 'f' }),
    );
    expect(exitOfVerdict(verdictOf(found), false)).toBe(5);
    expect(exitOfVerdict(verdictOf(found.toReversed()), false)).toBe(5);
    expect(exitOfVerdict(verdictOf(found.slice(0, 3)), false)).toBe(4);
    expect(exitOfVerdict(verdictOf(found.slice(0, 2)), false)).toBe(3);
  });

  it('tell a question that makes no sense from a file that cannot answer it', () => {
    expect(exitOfError('no-such-tensor')).toBe(2);
    expect(exitOfError('bad-slice')).toBe(2);
    expect(exitOfError('file-exists')).toBe(2);
    expect(exitOfError('cancelled')).toBe(3);
    expect(exitOfError('write-failed')).toBe(3);
    expect(exitOfError('tensor-out-of-bounds')).toBe(4);
    expect(exitOfError('a code of tomorrow')).toBe(4);
  });
});
