import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outOfFloat64 } from '../../../../src/core/formats/safetensors/number-range.ts';

describe('numbers out of a float64’s range', () => {
  // Each was shown to safetensors 0.8.0 in an ignored field.
  it.each([
    '0',
    '-0',
    '1e308',
    '1e-999',
    '0e999',
    '0.0e999',
    '0e99999999999999999999',
    '1e-99999999999999999999',
    '1e00000000000000000000001',
    '10000e304',
    '0.0000000001e317',
    '0.17976931348623157e309',
    '17976931348623157e292',
    '-1.7976931348623157e308',
    '1.797693134862315e308',
    `0.${'0'.repeat(400)}1e400`,
    `1${'0'.repeat(400)}e-400`,
  ])('%s is not', (number) => {
    expect(outOfFloat64(number)).toBe(false);
  });

  it.each([
    '1e309',
    '-1e309',
    '1e999',
    '1e99999999999999999999',
    '1.8e308',
    '1.7976931348623159e308',
    '1.7976931348623158e308',
    '17976931348623158e292',
    '179769313486231570000000000000000000000e270',
    '9'.repeat(310),
  ])('%s is', (number) => {
    expect(outOfFloat64(number)).toBe(true);
  });

  it('never are what JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => !outOfFloat64(String(value))),
    );
  });
});
