import { describe, expect, it } from 'vitest';
import { gradeImport } from '../../../../src/core/formats/pickle/grade-imports.ts';
import {
  ALLOWED_IMPORTS,
  DANGEROUS_NAMES,
  LOADERS,
  MERELY_UNKNOWN,
} from '../../../../src/core/formats/pickle/import-lists.ts';

const split = (whole: string): readonly [module: string, name: string] => {
  const at = whole.lastIndexOf('.');
  return [whole.slice(0, at), whole.slice(at + 1)];
};

describe('the lists', () => {
  it('say what they mean', () => {
    expect(ALLOWED_IMPORTS.size).toBeGreaterThan(150);
    for (const whole of ALLOWED_IMPORTS) {
      expect(gradeImport(...split(whole)), whole).toEqual({ grade: 'allowed', why: '' });
    }
    for (const whole of MERELY_UNKNOWN) {
      expect(gradeImport(...split(whole)).grade, whole).toBe('unknown');
    }
    for (const whole of DANGEROUS_NAMES.keys()) {
      expect(gradeImport(whole, 'anything').grade, whole).toBe('dangerous');
      expect(gradeImport(`${whole}.below`, 'anything').grade, whole).toBe('dangerous');
    }
  });

  it('allow no function that loads pickles', () => {
    for (const whole of LOADERS) {
      expect(gradeImport(...split(whole)).grade, whole).not.toBe('allowed');
    }
  });

  it('allow a name in its own module only', () => {
    for (const whole of ALLOWED_IMPORTS) {
      const [module, name] = split(whole);
      expect(gradeImport(`${module}x`, name).grade, whole).not.toBe('allowed');
      expect(gradeImport(`x.${module}`, name).grade, whole).not.toBe('allowed');
      expect(gradeImport(module, `${name}.${name}`).grade, whole).toBe('dangerous');
    }
  });
});

describe('names', () => {
  it.each([
    ['builtins', 'print', 'dangerous'],
    ['builtins', 'len', 'unknown'],
    ['builtins', 'ValueError', 'unknown'],
    ['exceptions', 'ValueError', 'unknown'],
    ['exceptions', 'eval', 'dangerous'],
    ['some.package.os', 'path', 'dangerous'],
    ['some.package', 'posix', 'dangerous'],
    ['mytest.code', 'Model', 'unknown'],
    ['omegaconf.dictconfig', 'DictConfig', 'unknown'],
    ['types', 'SimpleNamespace', 'unknown'],
    ['types', 'CodeType', 'dangerous'],
    ['osx', 'system', 'unknown'],
    ['', '', 'unknown'],
    ['a.'.repeat(10_000), 'x', 'unknown'],
  ])('%s.%s is %s', (module, name, grade) => {
    expect(gradeImport(module, name).grade).toBe(grade);
  });
});
