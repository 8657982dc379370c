import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveJson, overflows } from '../../../../fuzz/naive-json.mjs';
import {
  HeaderLimitError,
  JsonCursor,
  JsonSyntaxError,
  LONGEST_TEXT,
  MAX_NESTING,
} from '../../../../src/core/formats/safetensors/json-cursor.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Walks a whole text through `skipValue`, which walks objects and arrays by the same methods as everyone else. */
const skipAll = (text: string | Uint8Array): void => {
  const cursor = new JsonCursor(typeof text === 'string' ? utf8(text) : text);
  cursor.skipValue();
  cursor.skipSpace();
  if (cursor.at < cursor.bytes.length) {
    cursor.fail('more text');
  }
};

const faultOf = (work: () => void): JsonSyntaxError => {
  try {
    work();
  } catch (fault) {
    if (fault instanceof JsonSyntaxError) {
      return fault;
    }
    throw fault;
  }
  throw new Error('accepted');
};

const accepts = (text: string): boolean => {
  try {
    skipAll(text);
    return true;
  } catch (fault) {
    if (fault instanceof JsonSyntaxError) {
      return false;
    }
    throw fault;
  }
};

const naiveAccepts = (text: string): boolean => {
  try {
    return !overflows(naiveJson(text));
  } catch (fault) {
    if (fault instanceof SyntaxError) {
      return false;
    }
    throw fault;
  }
};

/** A value as a plain tree, read through the cursor's own methods. */
const readTree = (cursor: JsonCursor): unknown => {
  switch (cursor.peekType()) {
    case 'string':
      return cursor.string();
    case 'object': {
      const members: [string, unknown][] = [];
      cursor.object((key) => members.push([key, readTree(cursor)]));
      return Object.fromEntries(members);
    }
    case 'array': {
      const items: unknown[] = [];
      cursor.array(() => items.push(readTree(cursor)));
      return items;
    }
    default: {
      const [start, end] = cursor.skipValue();
      return JSON.parse(new TextDecoder().decode(cursor.bytes.subarray(start, end)));
    }
  }
};

describe('what counts as JSON (FORMATS.md 1.3)', () => {
  it.each([
    '{}',
    ' \t\r\n{"a" : [1 ,2] } \n',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\ud83d\\ude00"',
    '"\u007f\u0085\u2028\ufeff😀"',
    '[true,false,null,0,-0,1.5,1E+5,1e-999,0e999999]',
    '123456789012345678901234567890',
    '1.7976931348623157e308',
  ])('accepts %j', (text) => {
    expect(() => skipAll(text)).not.toThrow();
  });

  it.each([
    ['an empty text', '', 0],
    ['only spaces', '   ', 3],
    ['a byte order mark', '\ufeff{}', 0],
    ['a vertical tab', '\v{}', 0],
    ['a comment', '/*x*/{}', 0],
    ['a trailing comma in an object', '{"a":1,}', 7],
    ['a trailing comma in an array', '[1,]', 3],
    ['a double comma', '[1,,2]', 3],
    ['a missing colon', '{"a"1}', 4],
    ['a missing comma', '[1 2]', 3],
    ['a key without quotes', '{a:1}', 1],
    ['a key that is a number', '{1:1}', 1],
    ['single quotes', "{'a':1}", 1],
    ['a leading zero', '01', 1],
    ['a plus sign', '+1', 0],
    ['a point without digits before', '.5', 0],
    ['a point without digits after', '1.', 2],
    ['an exponent without digits', '1e', 2],
    ['an exponent of only a sign', '1e+', 3],
    ['only a minus', '-', 1],
    ['NaN', 'NaN', 0],
    ['Infinity', 'Infinity', 0],
    ['half a word', 'tru', 0],
    ['a word in capitals', 'True', 0],
    ['a raw line feed in a string', '"a\nb"', 2],
    ['a raw NUL in a string', '"a\0b"', 2],
    ['a raw 0x1F in a string', '"\x1f"', 1],
    ['an unknown escape', '"\\x41"', 1],
    ['an escaped single quote', '"\\\'"', 1],
    ['three hexadecimal digits', '"\\u00e"', 1],
    ['a letter that is no hexadecimal digit', '"a\\u00eg"', 2],
    ['a sign among hexadecimal digits', '"\\u+0e9"', 1],
    ['a lone high surrogate', '"a\\ud800"', 2],
    ['a lone low surrogate', '"\\ude00"', 1],
    ['two high surrogates', '"\\ud83d\\ud83d"', 1],
    ['a high surrogate, then a letter', '"\\ud83da"', 1],
    ['surrogates in the wrong order', '"\\ude00\\ud83d"', 1],
    ['a lone surrogate in a key', '{"\\ud800":1}', 2],
    ['an open string', '"abc', 4],
    ['a string that ends in a backslash', '"abc\\', 4],
    ['an open object', '{"a":1', 6],
    ['an open array', '[1', 2],
    ['a closing bracket of the other kind', '[1}', 2],
    ['trailing NUL', '{}\0', 2],
    ['a second value', '{}{}', 2],
    ['a number that overflows a float64', '[0,1e309]', 3],
    ['a negative number that overflows', '-1e400', 0],
    ['an integer of 310 digits', '9'.repeat(310), 0],
  ])('refuses %s and says where', (_what, text, position) => {
    const fault = faultOf(() => skipAll(text));
    expect(fault.message).not.toBe('');
    expect(fault.position).toBe(position);
    expect(naiveAccepts(text)).toBe(false);
  });

  it('counts positions in bytes', () => {
    expect(faultOf(() => skipAll('{"é😀":x}')).position).toBe(10);
  });
});

describe('against a second reader', () => {
  it('reads back what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(readTree(new JsonCursor(utf8(text)))).toEqual(JSON.parse(text));
        skipAll(text);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts changed text exactly when the plain reader does, and nothing that JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      ...'{}[]",:\\0123456789-+.eEtrufalsn \t\n\r\v\0\u00e9',
      '\\u',
      '\\ud83d',
      '\\ude00',
      '1e999',
    );
    const change = fc.record({ at: fc.nat(), removed: fc.nat(3), added: fc.array(pieces, { maxLength: 3 }) });
    let refused = 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(change, { minLength: 1, maxLength: 3 }), (value, changes) => {
        let text = JSON.stringify(value);
        for (const { at, removed, added } of changes) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + added.join('') + text.slice(place + removed);
        }
        // A header is valid UTF-8 before the cursor sees it.
        fc.pre(!/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text));
        expect(accepts(text)).toBe(naiveAccepts(text));
        if (accepts(text)) {
          expect(() => JSON.parse(text)).not.toThrow();
        } else {
          refused += 1;
        }
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it('throws nothing but its own error for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          new JsonCursor(bytes).skipValue();
        } catch (fault) {
          // Bytes that are not UTF-8 never reach the cursor; the decoder's refusal is the other error there is.
          expect(fault instanceof JsonSyntaxError || fault instanceof TypeError).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('integers', () => {
  const integerOf = (text: string): number | bigint | undefined => new JsonCursor(utf8(text)).number().integer;

  it.each([
    ['0', 0],
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['18446744073709551616', undefined],
    ['99999999999999999999', undefined],
    ['100000000000000000000', undefined],
    ['1.0', undefined],
    ['1e0', undefined],
    ['-0', undefined],
    ['-1', undefined],
  ])('%s is %s', (text, value) => {
    expect(integerOf(text)).toBe(value);
  });

  it('are exact up to 2^64 − 1', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 65n }), (value) => {
        const expected = value < 2n ** 64n ? value : undefined;
        const read = integerOf(value.toString());
        expect(read === undefined ? undefined : BigInt(read)).toBe(expected);
        expect(typeof read === 'number').toBe(value <= BigInt(Number.MAX_SAFE_INTEGER));
      }),
    );
  });
});

describe('nesting', () => {
  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])(`of %s is accepted to ${MAX_NESTING} levels and no further`, (open, close) => {
    const nested = (levels: number): string => open.repeat(levels) + (close === '}' ? '1' : '') + close.repeat(levels);
    expect(accepts(nested(MAX_NESTING))).toBe(true);
    expect(accepts(nested(MAX_NESTING + 1))).toBe(false);
    expect(accepts(open.repeat(200_000))).toBe(false);
  });

  it('counts levels, not values', () => {
    expect(accepts(`[${'[[]],'.repeat(1000)}[]]`)).toBe(true);
  });
});

describe('texts', () => {
  it('keeps keys in order, with where each begins', () => {
    const seen: [string, number][] = [];
    const cursor = new JsonCursor(utf8('{"10":1, "2":2,"__proto__":3,"10":4}'));
    cursor.object((key, at) => {
      seen.push([key, at]);
      cursor.skipValue();
    });
    expect(seen).toEqual([
      ['10', 1],
      ['2', 9],
      ['__proto__', 15],
      ['10', 29],
    ]);
  });

  it('returns the range of what it skipped', () => {
    const cursor = new JsonCursor(utf8('  [1, {"a":"]"}]  '));
    expect(cursor.skipValue()).toEqual([2, 16]);
  });

  it('reads strings of many escapes and of every length about a chunk', () => {
    for (const length of [127, 128, 129, 511, 512, 513, 4095, 4096, 4097]) {
      const text = 'é\n'.repeat(length) + 'x'.repeat(length);
      expect(new JsonCursor(utf8(JSON.stringify(text))).string()).toBe(text);
    }
  });

  it('shares short texts without mixing them up', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `${(index * 7919) % 997}${'ab'[index % 2]}`);
    const cursor = new JsonCursor(utf8(JSON.stringify(names)));
    const read: string[] = [];
    cursor.array(() => {
      cursor.skipSpace();
      read.push(cursor.string());
    });
    expect(read).toEqual(names);
  });

  it(`refuses to make a text of over ${LONGEST_TEXT} bytes, at its beginning`, () => {
    const bytes = new Uint8Array(LONGEST_TEXT + 5).fill(0x78);
    bytes[0] = 0x20;
    bytes[1] = 0x22;
    bytes[bytes.length - 1] = 0x22;
    const fault = faultOf(() => skipAll(bytes));
    expect(fault).toBeInstanceOf(HeaderLimitError);
    expect(fault.position).toBe(2);
    expect(() => skipAll(bytes.subarray(2).fill(0x31))).toThrow(HeaderLimitError);
  });
});
