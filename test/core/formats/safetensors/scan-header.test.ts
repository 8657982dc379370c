import { describe, expect, it } from 'vitest';
import { MOST_DIMENSIONS } from '../../../../src/core/formats/safetensors/limits.ts';
import {
  type ScannedEntry,
  type ScannedMetadata,
  scanHeader,
} from '../../../../src/core/formats/safetensors/scan-header.ts';
import { entry, floats, header, member } from '../../../support/safetensors-bytes.ts';

interface Scanned {
  readonly isObject: boolean;
  readonly entries: readonly ScannedEntry[];
  readonly metadata: readonly ScannedMetadata[];
}

const scan = (text: string): Scanned => {
  const entries: ScannedEntry[] = [];
  const metadata: ScannedMetadata[] = [];
  const isObject = scanHeader(new TextEncoder().encode(text), {
    entry: (found) => entries.push(found),
    metadata: (found) => metadata.push(found),
  });
  return { isObject, entries, metadata };
};

const only = (value: string): ScannedEntry => {
  const [first] = scan(header(member('a', value))).entries;
  if (first === undefined) {
    throw new Error('no entry');
  }
  return first;
};

describe('entries', () => {
  it('are told in file order with where each begins', () => {
    const { entries } = scan(header(floats('10', 0, 4), floats('2', 4, 8), floats('__proto__', 8, 12)));
    expect(entries.map(({ name }) => name)).toEqual(['10', '2', '__proto__']);
    expect(entries[0]).toEqual({ name: '10', at: 1, dtype: 'F32', shape: [1], offsets: [0, 4], faults: [] });
  });

  it('may have fields in any order, escaped names and fields of no concern', () => {
    const value = '{"x":[{"dtype":1}],"data_offsets":[0,4],"d\\u0074ype":"\\u004632","shape":[],"x":null}';
    expect(only(value)).toMatchObject({ dtype: 'F32', shape: [], offsets: [0, 4], faults: [] });
  });

  it('keep integers exact', () => {
    const { shape, offsets } = only(entry('U8', '[0,9007199254740993]', '[18446744073709551614,18446744073709551615]'));
    expect(shape).toEqual([0, 9_007_199_254_740_993n]);
    expect(offsets).toEqual([2n ** 64n - 2n, 2n ** 64n - 1n]);
  });

  it.each(['null', '7', '"F32"', '["F32",[1],[0,4]]', 'true'])('that are %s have one fault', (value) => {
    const { faults, dtype, shape, offsets } = only(value);
    expect(faults).toEqual([{ code: 'field-invalid', message: `its entry is not an object but ${value}`, at: 1 }]);
    expect([dtype, shape, offsets]).toEqual([undefined, undefined, undefined]);
  });

  it.each(['dtype', 'shape', 'data_offsets'])('without %s say so', (field) => {
    const fields = { dtype: '"F32"', shape: '[1]', data_offsets: '[0,4]' };
    const kept = Object.entries(fields).filter(([key]) => key !== field);
    const { faults } = only(header(...kept.map(([key, value]) => member(key, value))));
    expect(faults).toEqual([{ code: 'field-missing', message: `its entry has no "${field}"`, at: 1 }]);
  });

  it.each(['dtype', 'shape', 'data_offsets'])('with %s more than once keep the first and say it once', (field) => {
    const again = `"${field}":0,`.repeat(3);
    const text = `{"dtype":"F32","shape":[1],"data_offsets":[0,4],${again}"x":1}`;
    const { faults, dtype, shape, offsets } = only(text);
    expect(faults).toEqual([
      { code: 'duplicate-key', message: `its entry has "${field}" twice`, at: 5 + text.indexOf(again) },
    ]);
    expect([dtype, shape, offsets]).toEqual(['F32', [1], [0, 4]]);
  });

  const INVALID: readonly (readonly [field: string, value: string])[] = [
    ...['null', '7', '["F32"]', '{"F32":null}', 'true'].map((value) => ['dtype', value] as const),
    ...['null', '4', '"4"', '{}', '[[1]]', '[null]', '[true]', '["1"]', '[-1]', '[1.5]', '[1.0]', '[1e0]', '[-0]'].map(
      (value) => ['shape', value] as const,
    ),
    ['shape', '[18446744073709551616]'],
    ['shape', '[1e999]'],
    ...['null', '[]', '[4]', '[0,4,4]', '["0","4"]', '[-4,4]', '[0.5,4]', '[0,1.6e1]', '[null,4]', '{"0":0}'].map(
      (value) => ['data_offsets', value] as const,
    ),
    ['data_offsets', '[0,18446744073709551616]'],
  ];

  it.each(INVALID)('whose %s is %s have a fault that shows it', (field, value) => {
    const fields = { dtype: '"F32"', shape: '[1]', data_offsets: '[0,4]', [field]: value };
    const text = header(...Object.entries(fields).map(([key, part]) => member(key, part)));
    const { faults } = only(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ code: 'field-invalid', at: 5 + text.indexOf(`"${field}"`) + field.length + 3 });
    expect(faults[0]?.message).toMatch(new RegExp(`^"${field}" is `));
    expect(faults[0]?.message).toContain(`is ${value}, expected `);
  });

  it('show long values cut short', () => {
    const { faults } = only(entry('F32', `["${'é'.repeat(500)}"]`, '[0,4]'));
    expect(faults[0]?.message.length).toBeLessThan(200);
    expect(faults[0]?.message).toContain('…');
  });

  it(`may have ${MOST_DIMENSIONS} dimensions and no more`, () => {
    const ones = (count: number): string => `[${new Array<number>(count).fill(1).join(',')}]`;
    expect(only(entry('U8', ones(MOST_DIMENSIONS), '[0,1]')).shape).toHaveLength(MOST_DIMENSIONS);
    const { shape, faults } = only(entry('U8', ones(MOST_DIMENSIONS + 1), '[0,1]'));
    expect(shape).toBeUndefined();
    expect(faults[0]?.message).toContain('at most 1,000');
  });
});

describe('metadata', () => {
  const metadataOf = (value: string): ScannedMetadata => {
    const [first] = scan(header(member('__metadata__', value), floats('a', 0, 4))).metadata;
    if (first === undefined) {
      throw new Error('no metadata');
    }
    return first;
  };

  it('keeps its entries in order, values that are no strings as their text', () => {
    const { entries, notObject } = metadataOf('{"b":"x","a": 1.50,"":null,"n":[1, {"k":2}],"10":"y","t":true}');
    expect(entries).toEqual([
      { key: 'b', type: 'string', value: 'x' },
      { key: 'a', type: 'number', value: '1.50' },
      { key: '', type: 'null', value: 'null' },
      { key: 'n', type: 'array', value: '[1, {"k":2}]' },
      { key: '10', type: 'string', value: 'y' },
      { key: 't', type: 'boolean', value: 'true' },
    ]);
    expect(notObject).toBeUndefined();
  });

  it('that is null is absent', () => {
    expect(metadataOf('null')).toMatchObject({ entries: [], notObject: undefined, duplicates: [] });
  });

  it.each([
    ['[]', 'array', '[]'],
    ['"x\\n"', 'string', 'x\n'],
    ['1', 'number', '1'],
    ['false', 'boolean', 'false'],
  ])('that is %s is kept with its type', (value, type, text) => {
    expect(metadataOf(value)).toMatchObject({
      entries: [{ key: '__metadata__', type, value: text }],
      notObject: type,
    });
  });

  it('names keys that come again', () => {
    const { duplicates, entries } = metadataOf('{"k":"v","k":"w"}');
    expect(duplicates).toEqual([{ key: 'k', at: 25 }]);
    expect(entries.map(({ value }) => value)).toEqual(['v', 'w']);
  });

  it('with the fields of a tensor is one', () => {
    const { entries, metadata } = scan(header(member('__metadata__', entry('F32', '[1]', '[0,4]'))));
    expect(entries.map(({ name }) => name)).toEqual(['__metadata__']);
    expect(metadata).toEqual([]);
  });

  it('with strings under the names of a tensor’s fields is metadata', () => {
    const { entries, metadata } = scan('{"__metadata__":{"dtype":"F32","shape":"[1]","data_offsets":"[0,4]"}}');
    expect(entries).toEqual([]);
    expect(metadata).toHaveLength(1);
  });

  it('is found under an escaped key, and told each time', () => {
    expect(scan('{"\\u005f_metadata__":{"k":"v"},"__metadata__":null}').metadata).toHaveLength(2);
  });
});

describe('the whole text', () => {
  it.each(['[1]', '"x"', 'null', '7'])('%s is no object', (text) => {
    expect(scan(text)).toEqual({ isObject: false, entries: [], metadata: [] });
  });

  it('says what follows the object, and knows an old writer’s fault', () => {
    expect(() => scan('{} x')).toThrow('more text after the end of the object');
    expect(() => scan('{},"__metadata__":{"k":"v"}}')).toThrow(/a known fault of old writers/);
  });
});
