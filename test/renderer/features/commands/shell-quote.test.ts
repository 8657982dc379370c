import { describe, expect, it } from 'vitest';
import { headCommand, shellQuote } from '../../../../src/renderer/features/commands/shell-quote.ts';

describe('shellQuote', () => {
  it.each([
    ['model.layers.0.weight', 'model.layers.0.weight'],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['$(rm -rf ~)', "'$(rm -rf ~)'"],
    ['`x`; y', "'`x`; y'"],
    ['a\nb', "$'a\\x0ab'"],
    ['\u001b[2J', "$'\\x1b[2J'"],
    ['x\u202ey', "$'x\\xe2\\x80\\xaey'"],
    ['-rf', "'-rf'"],
  ])('%j', (text, expected) => {
    expect(shellQuote(text)).toBe(expected);
  });
});

describe('headCommand', () => {
  it('names file and tensor', () => {
    expect(headCommand('/m/a b.safetensors', 'w')).toBe("loupe head '/m/a b.safetensors' w");
  });

  it('keeps a leading dash from being an option', () => {
    expect(headCommand('/m/a', '-w')).toBe("loupe head -- /m/a '-w'");
  });
});
