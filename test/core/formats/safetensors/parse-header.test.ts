import { describe, expect, it } from 'vitest';
import { type ParsedHeader, parseHeader } from '../../../../src/core/formats/safetensors/parse-header.ts';
import { TensorTable } from '../../../../src/core/tensor/tensor-table.ts';
import { entry, floats, header, member, octets } from '../../../support/safetensors-bytes.ts';

const parse = (text: string | Uint8Array, dataBytes = 0): ParsedHeader => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const dataStart = 8 + bytes.byteLength;
  return parseHeader(bytes, { file: 'm', dataStart, fileSize: dataStart + dataBytes });
};

const names = (parsed: ParsedHeader): string[] => new TensorTable(parsed.table).rows().map(({ name }) => name);

describe('a header that cannot be read yields one finding and no tensors', () => {
  it.each<readonly [string, string | Uint8Array, string, number]>([
    ['header-not-utf8', Uint8Array.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d]), 'the header is not UTF-8 at byte 2', 10],
    ['header-not-json', '{"a":', 'the header is not JSON at byte 5: the text ends where a value was expected', 13],
    ['header-not-json', '', 'the header is not JSON at byte 0: the text ends where a value was expected', 8],
    ['header-not-json', '{}\0', 'the header is not JSON at byte 2: more text after the end of the object', 10],
    [
      'header-not-json',
      '{},"__metadata__":{"a":"b"}}',
      'the header is not JSON at byte 2: the object ends before "__metadata__", a known fault of old writers when there are no tensors',
      10,
    ],
    ['header-not-object', '[1]', 'the header is JSON but not an object', 8],
    ['header-not-object', '"x"', 'the header is JSON but not an object', 8],
  ])('%s: %j', (code, text, message, offset) => {
    const parsed = parse(text, 16);
    expect(parsed.findings.kept).toEqual([{ code, severity: 'error', message, file: 'm', offset }]);
    expect(names(parsed)).toEqual([]);
    expect(parsed.metadata).toEqual([]);
    expect(parsed.totals).toEqual({ parameters: 0, dtypes: [] });
    expect(parsed.coverage).toEqual({ claimed: 0, unclaimed: [], missing: 0, unplaced: 0 });
  });

  it('even when tensors were read before the fault', () => {
    const parsed = parse(`{${floats('a', 0, 4)},${member('b', 'nul')}}`, 4);
    expect(parsed.findings.kept.map(({ code }) => code)).toEqual(['header-not-json']);
    expect(names(parsed)).toEqual([]);
  });
});

describe('duplicate-name', () => {
  it('is told once a name, with how often; every entry keeps its row and its range', () => {
    const text = header(floats('a', 0, 4), floats('b', 4, 8), floats('a', 8, 12), '"\\u0061":{}', floats('b', 12, 16));
    const parsed = parse(text, 16);
    const duplicates = parsed.findings.kept.filter(({ code }) => code === 'duplicate-name');
    expect(duplicates).toEqual([
      {
        code: 'duplicate-name',
        severity: 'error',
        message: 'the name "a" occurs 3 times; other readers keep only the last',
        file: 'm',
        tensor: 'a',
        tensorId: 2,
        offset: 8 + text.lastIndexOf('"a":{"dtype"'),
      },
      {
        code: 'duplicate-name',
        severity: 'error',
        message: 'the name "b" occurs 2 times; other readers keep only the last',
        file: 'm',
        tensor: 'b',
        tensorId: 4,
        offset: 8 + text.lastIndexOf('"b":'),
      },
    ]);
    expect(names(parsed)).toEqual(['a', 'b', 'a', 'a', 'b']);
    expect(new TensorTable(parsed.table).rows().map(({ readable }) => readable)).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(parsed.coverage.unclaimed).toEqual([]);
  });
});

describe('metadata', () => {
  const findingsOf = (value: string): readonly (readonly [string, string, number | undefined])[] =>
    parse(header(member('__metadata__', value), floats('a', 0, 4)), 4).findings.kept.map(
      ({ code, message, offset }) => [code, message, offset],
    );

  it.each(['null', '{}', '{"format":"pt"}', '{"":""}'])('%s gives no finding', (value) => {
    expect(findingsOf(value)).toEqual([]);
  });

  it.each([
    ['{"n":0}', 'the metadata value of "n" is a JSON number, expected a string'],
    ['{"k":"v","n":null,"m":[]}', 'the metadata value of "n" is a JSON null, expected a string and 1 more'],
    ['[]', '"__metadata__" is a JSON array, expected an object'],
    ['"x"', '"__metadata__" is a JSON string, expected an object'],
    ['7', '"__metadata__" is a JSON number, expected an object'],
  ])('metadata-not-strings: %s', (value, message) => {
    expect(findingsOf(value)).toEqual([['metadata-not-strings', message, 9]]);
  });

  it('duplicate-key: a key twice, the metadata twice', () => {
    expect(findingsOf('{"k":"v","k":"w"}')).toEqual([
      ['duplicate-key', 'the metadata key "k" occurs twice', 8 + '{"__metadata__":{"k":"v",'.length],
    ]);
    const twice = parse(header('"__metadata__":null', '"__metadata__":{"a":"b"}', floats('a', 0, 4)), 4);
    expect(twice.findings.kept.map(({ message }) => message)).toEqual(['the header has "__metadata__" twice']);
    expect(twice.metadata).toEqual([{ key: 'a', type: 'string', value: 'b' }]);
  });

  it('may have hundreds of thousands of entries', () => {
    const pairs = Array.from({ length: 300_000 }, (_, index) => `"${index}":"x"`);
    const parsed = parse(`{"__metadata__":{${pairs.join(',')}}}`);
    expect(parsed.metadata).toHaveLength(300_000);
    expect(parsed.metadata[299_999]).toEqual({ key: '299999', type: 'string', value: 'x' });
    expect(parsed.findings.kept).toEqual([]);
  });
});

describe('size', () => {
  it('a name of a million characters that reaches over thousands of tensors is not repeated in each message', () => {
    const long = 'n'.repeat(1_000_000);
    const small = Array.from({ length: 10_000 }, (_, index) => octets(`${index}`, index, index + 1));
    const parsed = parse(header(octets(long, 0, 20_000), ...small), 20_000);
    expect(parsed.findings.kept).toHaveLength(10_000);
    const characters = parsed.findings.kept.reduce((sum, { message }) => sum + message.length, 0);
    expect(characters).toBeLessThan(10_000 * 600);
    expect(parsed.findings.kept[9]?.message).toMatch(
      /^tensor "9" shares 1 bytes \[[\d,]+, [\d,]+\) with tensor "n+…n+"$/,
    );
  });

  it('100,000 scalars (FIELD-CASES B53)', () => {
    const scalars = Array.from({ length: 100_000 }, (_, index) =>
      member(`t${index}`, entry('U8', '[]', `[${index},${index + 1}]`)),
    );
    const parsed = parse(header(...scalars), 100_000);
    expect(parsed.findings.kept).toEqual([]);
    const table = new TensorTable(parsed.table);
    expect(table.length).toBe(100_000);
    expect(table.row(99_999)).toMatchObject({ name: 't99999', shape: [], parameters: 1, readable: true });
    expect(table.idOf('t54321')).toBe(54_321);
    expect(parsed.totals.parameters).toBe(100_000);
  });
});
