import { expect, it } from 'vitest';
import { quoteName } from '../../src/core/quote-name.ts';

it('ordinary names are quoted whole', () => {
  expect(quoteName('model.layers.0.weight')).toBe('"model.layers.0.weight"');
  expect(quoteName('')).toBe('""');
  expect(quoteName('x'.repeat(200))).toBe(`"${'x'.repeat(200)}"`);
});

it('long ones lose their middle, and no half characters appear', () => {
  const name = `${'😀'.repeat(500_000)}.weight`;
  const shown = quoteName(name);
  expect(Array.from(shown)).toHaveLength(202);
  expect(shown).toMatch(/^"(😀)+…(😀)+\.weight"$/u);
});
