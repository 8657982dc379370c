import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../../src/renderer/features/table/glob.ts';

describe('compileGlob', () => {
  it.each([
    ['layers.*.q_proj', 'model.layers.3.self_attn.q_proj.weight', true],
    ['layers.*.q', 'model.layers.3.self_attn.q_proj.weight', false],
    ['*.bias', 'lm_head.bias', true],
    ['*.bias', 'lm_head.bias_scale', false],
    ['*bias*', 'lm_head.bias_scale', true],
    ['layers.?', 'layers.12', false],
    ['layers.??', 'layers.12', true],
    ['layers.[0-3]', 'layers.2.w', true],
    ['layers.[!0-3]', 'layers.2.w', false],
    ['layers.{1,12}', 'layers.12.w', true],
    ['layers.{0..3}', 'layers.3.w', true],
    ['layers.{0..3}', 'layers.4.w', false],
    ['a[', 'a[', true],
    ['{', '{', true],
    ['**', 'anything', true],
  ])('%s on %s: %s', (pattern, name, expected) => {
    expect(compileGlob(pattern)(name)).toBe(expected);
  });

  it('stays quick on a hostile pattern and name', () => {
    const matches = compileGlob('*a*a*a*a*a*a*a*a*a*b');
    const started = performance.now();
    expect(matches('a'.repeat(20_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(8000);
  });

  it('expands a bounded number of alternatives', () => {
    expect(compileGlob('{a,b}'.repeat(40))('x')).toBe(false);
  });
});
