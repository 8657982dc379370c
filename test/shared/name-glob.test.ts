import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, escapeGlob, isGlob } from '../../src/shared/name-glob.ts';

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['*', 'model.layers/0', true],
    ['model.*.weight', 'model.layers.0.weight', true],
    ['model.*.weight', 'xmodel.layers.0.weight', false],
    ['layers.*', 'model.layers.0', false],
    ['layers.?', 'layers.12', false],
    ['layers.??', 'layers.12', true],
    ['[0-9]', '7', true],
    ['[!0-9]', '7', false],
    ['[^0-9]', 'x', true],
    ['[]a]', ']', true],
    ['[a', '[a', true],
    ['{a,bc}.w', 'bc.w', true],
    ['{a,bc}.w', 'b.w', false],
    ['{0..12}', '12', true],
    ['{0..12}', '13', false],
    ['{a,{b,c}}', 'c', true],
    ['}{', '}{', true],
    ['', '', true],
    ['', 'a', false],
    ['A', 'a', false],
  ])('%j on %j: %s', (pattern, name, expected) => {
    expect(compileGlob(pattern)(name)).toBe(expected);
  });

  it.each([
    ['plain.name', false],
    ['a*', true],
    ['a?', true],
    ['[a]', true],
    ['{a}', true],
  ])('%j is one: %s', (text, expected) => {
    expect(isGlob(text)).toBe(expected);
  });

  it('without any sign covers its own text and no other', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/[*?[\]{}]/.test(text));
    fc.assert(
      fc.property(plain, plain, (pattern, name) => {
        expect(compileGlob(pattern)(pattern)).toBe(true);
        expect(compileGlob(pattern)(name)).toBe(pattern === name);
      }),
    );
  });

  it('with stars answers as a regular expression does', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 10 });
    fc.assert(
      fc.property(pattern, letters, (glob, name) => {
        const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
        expect(compileGlob(glob)(name)).toBe(new RegExp(`^${source}$`).test(name));
      }),
      { numRuns: 2000 },
    );
  });

  it('never takes more steps than pattern × name', () => {
    const hostile = fc.string({ unit: fc.constantFrom('a', '*', '?', 'b'), maxLength: 24 });
    const name = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), maxLength: 400 });
    fc.assert(
      fc.property(hostile, name, (pattern, text) => {
        let steps = 0;
        compileGlob(pattern, () => {
          steps += 1;
        })(text);
        expect(steps).toBeLessThanOrEqual((pattern.length + 1) * (text.length + 1));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes twice the steps for twice the name', () => {
    const stepsFor = (length: number): number => {
      let steps = 0;
      // The b at the front lets no shortcut answer before the matching begins.
      compileGlob('*a*a*a*a*a*a*a*a*a*b', () => {
        steps += 1;
      })(`b${'a'.repeat(length)}`);
      return steps;
    };
    expect(stepsFor(20_000)).toBeGreaterThan(20_000);
    expect(stepsFor(20_000) / stepsFor(10_000)).toBeCloseTo(2, 2);
  });

  it('expands at most 64 alternatives', () => {
    let steps = 0;
    compileGlob('{a,b}'.repeat(40), () => {
      steps += 1;
    })('ab'.repeat(20));
    expect(steps).toBeLessThanOrEqual(64 * 40);
  });
});

describe('escapeGlob', () => {
  it('makes a pattern that covers its text, whatever is in it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '.', '*', '?', '[', ']', '{', '}', '!', '-', ',') });
    fc.assert(fc.property(text, (name) => compileGlob(escapeGlob(name))(name)));
  });

  it('covers nothing else where there are no braces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '.', '*', '?', '[', ']', '!', '-') });
    fc.assert(fc.property(text, text, (name, other) => compileGlob(escapeGlob(name))(other) === (name === other)));
  });
});
