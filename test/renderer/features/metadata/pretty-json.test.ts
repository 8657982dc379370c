import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prettyJson } from '../../../../src/renderer/features/metadata/pretty-json.ts';

describe('prettyJson', () => {
  it('indents objects and arrays', () => {
    expect(prettyJson('{"a":[1,{}],"b":"x,{y"}')).toBe('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "x,{y"\n}');
  });

  it('keeps every digit', () => {
    expect(prettyJson('[12345678901234567890, 1.0]')).toContain('12345678901234567890');
    expect(prettyJson('[1.0]')).toContain('1.0');
  });

  it('leaves other text alone', () => {
    expect(prettyJson('plain')).toBeUndefined();
    expect(prettyJson('"text"')).toBeUndefined();
    expect(prettyJson('{broken')).toBeUndefined();
  });

  it('never changes the meaning', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const pretty = prettyJson(json);
        if (pretty !== undefined) {
          expect(JSON.parse(pretty)).toEqual(JSON.parse(json));
        }
      }),
    );
  });
});
