import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FindingList, MAX_FINDINGS } from '../../src/core/finding-list.ts';
import {
  countFindings,
  FINDING_RULES,
  type Finding,
  type FindingCode,
  finding,
  verdictOf,
} from '../../src/shared/findings.ts';

const make = (code: FindingCode, index = 0): Finding =>
  finding(code, `${code} ${index}`, { file: 'm', tensorId: index, tensor: `t${index}` });

const filled = (code: FindingCode, times: number): FindingList => {
  const list = new FindingList();
  for (let index = 0; index < times; index += 1) {
    list.add(make(code, index));
  }
  return list;
};

const codes = Object.keys(FINDING_RULES).filter((code): code is FindingCode => code in FINDING_RULES);
const someFindings = fc.array(
  fc.constantFrom(...codes).map((code) => make(code)),
  { maxLength: 40 },
);

describe('a list of findings', () => {
  it('keeps them in the order they were found', () => {
    fc.assert(
      fc.property(someFindings, (findings) => {
        const list = new FindingList();
        list.add(...findings);
        expect(list.list()).toEqual(findings);
        expect(list.counts()).toEqual(countFindings(findings));
        expect(list.verdict()).toBe(verdictOf(findings));
        for (const code of codes) {
          expect(list.count(code)).toBe(findings.filter((item) => item.code === code).length);
          expect(list.has(code)).toBe(list.count(code) > 0);
        }
      }),
    );
  });

  it('knows what it has about which tensor', () => {
    const list = filled('gap', 3);
    expect(list.has('gap', 2)).toBe(true);
    expect(list.has('gap', 3)).toBe(false);
    expect(list.has('overlap')).toBe(false);
  });

  it('keeps ten thousand, counts the rest and says so once', () => {
    const exact = filled('gap', MAX_FINDINGS);
    expect(exact.list()).toHaveLength(MAX_FINDINGS);
    const over = filled('gap', MAX_FINDINGS + 25);
    const list = over.list();
    expect(list).toHaveLength(MAX_FINDINGS + 1);
    expect(list[MAX_FINDINGS - 1]).toEqual(make('gap', MAX_FINDINGS - 1));
    expect(list.at(-1)).toEqual({
      code: 'findings-omitted',
      severity: 'note',
      message: '25 more findings were counted but not kept',
      file: 'm',
    });
    expect(over.counts()).toEqual({ danger: 0, error: MAX_FINDINGS + 25, warning: 0, note: 0 });
    expect(over.count('gap')).toBe(MAX_FINDINGS + 25);
    expect(over.verdict()).toBe('damaged');
  });

  it.each<readonly [FindingCode, string]>([
    ['has-nan', 'warnings'],
    ['not-scanned', 'incomplete'],
    ['gap', 'damaged'],
    ['pickle-dangerous-call', 'dangerous'],
  ])('%s behind ten thousand notes is still seen, and decides: %s', (code, verdict) => {
    const list = filled('constant', MAX_FINDINGS + 5);
    expect(list.verdict()).toBe('clean');
    list.add(make(code, 1), make(code, 2));
    expect(list.verdict()).toBe(verdict);
    expect(list.list().some((item) => item.code === code && item.tensorId === 1)).toBe(true);
    expect(list.count(code)).toBe(2);
  });

  it('keeps every danger', () => {
    const list = filled('gap', MAX_FINDINGS);
    for (let index = 0; index < 100; index += 1) {
      list.add(make('pickle-dangerous-import', index));
    }
    expect(list.list().filter(({ severity }) => severity === 'danger')).toHaveLength(100);
  });

  it('goes through plain data, a thread and back without losing count', () => {
    const list = filled('constant', MAX_FINDINGS + 5);
    list.add(make('gap'), make('gap', 1));
    const copy = new FindingList(structuredClone(list.toData()));
    copy.add(make('gap', 2), make('has-nan'));
    expect(list.counts()).toEqual({ danger: 0, error: 2, warning: 0, note: MAX_FINDINGS + 5 });
    expect(copy.counts()).toEqual({ danger: 0, error: 3, warning: 1, note: MAX_FINDINGS + 5 });
    expect(copy.verdict()).toBe('damaged');
    expect(copy.list().filter(({ code }) => code === 'findings-omitted')).toHaveLength(1);
    expect(copy.list().at(-1)?.message).toBe('7 more findings were counted but not kept');
  });

  it('does not hand out what later additions change', () => {
    const list = filled('gap', 1);
    const { kept } = list.toData();
    list.add(make('gap', 1));
    expect(kept).toHaveLength(1);
  });
});
