import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonInput, strictJson } from '../../src/shared/strict-json.ts';

describe('strict JSON', () => {
  it('of plain values reads back the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // The type of what JSON.parse gives is not JsonInput, though every such value is one.
        const input: JsonInput = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(strictJson(input))).toEqual(input);
      }),
      { numRuns: 500 },
    );
  });

  it('of any double reads back bit for bit, or as a string for the three that JSON lacks', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const read: unknown = JSON.parse(strictJson(value));
        expect(read).toBe(Number.isFinite(value) ? value : String(value));
      }),
      { numRuns: 1000 },
    );
  });

  it.each<readonly [JsonInput, string]>([
    [Number.NaN, '"NaN"'],
    [Number.POSITIVE_INFINITY, '"Infinity"'],
    [Number.NEGATIVE_INFINITY, '"-Infinity"'],
    [-0, '-0.0'],
    [0, '0'],
    [2 ** 53, '9007199254740992.0'],
    [2 ** 53 - 1, '9007199254740991'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [2n ** 53n - 1n, '9007199254740991'],
    [2n ** 53n, '"9007199254740992"'],
    [-(2n ** 53n), '"-9007199254740992"'],
    [-(2n ** 63n), '"-9223372036854775808"'],
    [2n ** 64n - 1n, '"18446744073709551615"'],
    ['\ud800', '"\\ud800"'],
    ['"\\\n\u0000', '"\\"\\\\\\n\\u0000"'],
    [undefined, 'null'],
    [[undefined, null], '[null,null]'],
    [{ a: undefined, b: null, c: 1 }, '{"b":null,"c":1}'],
    [Float64Array.of(1, Number.NaN, -0), '[1,"NaN",-0.0]'],
    [[], '[]'],
    [{}, '{}'],
  ])('%s is %s', (value, text) => {
    expect(strictJson(value)).toBe(text);
  });

  it('keeps keys in order, and those of object prototypes', () => {
    const members: JsonInput = Object.fromEntries([
      ['b', 1],
      ['a', 2],
    ]);
    expect(strictJson(members)).toBe('{"b":1,"a":2}');
    expect(strictJson(JSON.parse('{"__proto__":1,"constructor":2}'))).toBe('{"__proto__":1,"constructor":2}');
  });

  it('is text that UTF-8 can carry', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = strictJson([text]);
        expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(written))).toBe(written);
        expect(JSON.parse(written)).toEqual([text]);
      }),
    );
  });
});
