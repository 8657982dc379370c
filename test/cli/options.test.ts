import { InvalidArgumentError } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { f6OrderOption, parseCount, parsePort } from '../../src/cli/options.ts';

describe('parseCount', () => {
  it('takes every safe non-negative integer as it is written', () => {
    fc.assert(fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (count) => parseCount(String(count)) === count));
  });

  it.each(['', ' 1', '-1', '+1', '1.0', '1e3', '0x10', 'Infinity', '9007199254740992', '١'])('refuses %j', (text) => {
    expect(() => parseCount(text)).toThrow(InvalidArgumentError);
  });
});

describe('parsePort', () => {
  it('takes 0 to 65,535 and nothing else', () => {
    expect(parsePort('0')).toBe(0);
    expect(parsePort('65535')).toBe(65_535);
    expect(() => parsePort('65536')).toThrow(InvalidArgumentError);
    expect(() => parsePort('-1')).toThrow(InvalidArgumentError);
  });
});

describe('f6OrderOption', () => {
  it('names the two orders and assumes neither', () => {
    const option = f6OrderOption();
    expect(option.argChoices).toEqual(['lsb', 'msb']);
    expect(option.defaultValue).toBeUndefined();
    expect(option.attributeName()).toBe('f6Order');
  });
});
