import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIndex } from '../../../../src/core/formats/shards/parse-index.ts';

const parse = (text: string) => parseIndex(new TextEncoder().encode(text), 'model.safetensors.index.json');

describe('parseIndex', () => {
  it('reads what the usual writers write', () => {
    const { weightMap, totalSize, findings } = parse(
      '{\n  "metadata": {"total_size": 20},\n  "weight_map": {"b": "2", "a": "1"}\n}\n',
    );
    expect([...weightMap]).toEqual([
      ['b', '2'],
      ['a', '1'],
    ]);
    expect([totalSize, findings]).toEqual([20, []]);
  });

  it('keeps names that are members of objects, and their order', () => {
    const { weightMap } = parse('{"weight_map":{"__proto__":"a","10":"b","constructor":"c","2":"d"}}');
    expect([...weightMap.keys()]).toEqual(['__proto__', '10', 'constructor', '2']);
  });

  it('needs no metadata, and believes no total_size that is no plain integer', () => {
    expect(parse('{"weight_map":{}}')).toMatchObject({ totalSize: undefined, totalSizeText: undefined, findings: [] });
    for (const text of ['"96"', '96.0', '1e3', '-1', 'null', '[1]', '18446744073709551615']) {
      expect(parse(`{"metadata":{"total_size":${text}},"weight_map":{}}`)).toMatchObject({
        totalSize: undefined,
        totalSizeText: text,
      });
    }
    expect(parse('{"metadata":7,"weight_map":{}}').findings).toEqual([]);
  });

  it('keeps of a part that is there twice the last, as JSON readers do, and says so', () => {
    const { weightMap, totalSize, findings } = parse(
      '{"weight_map":{"a":"1"},"metadata":{"total_size":99},"weight_map":{"b":"2"},"metadata":{}}',
    );
    expect([...weightMap]).toEqual([['b', '2']]);
    expect(totalSize).toBeUndefined();
    expect(findings).toMatchObject([
      { code: 'index-invalid', offset: 53 },
      { code: 'index-invalid', offset: 76 },
    ]);
  });

  it('reads no more entries than it may, and says so once', () => {
    const maps = Array.from({ length: 10 }, () => `"weight_map":{${'"":1,'.repeat(20)}"":1}`);
    const text = new TextEncoder().encode(`{${maps.join(',')}}`);
    const told = (most: number): number =>
      parseIndex(text, 'x', most).findings.filter(({ message }) => message.includes('the rest')).length;
    expect([told(50), told(209), told(210)]).toEqual([1, 1, 0]);
    expect(parseIndex(text, 'x', 50).findings.filter(({ message }) => message.includes('a JSON number'))).toHaveLength(
      50,
    );
  });

  it('reports text after the end, keeping what was read', () => {
    const { weightMap, findings } = parse('{"weight_map":{"a":"1"}} x');
    expect(weightMap.size).toBe(1);
    expect(findings).toMatchObject([{ code: 'index-invalid', offset: 25 }]);
  });

  it('reads any map of strings back, and never throws whatever the bytes', () => {
    const names = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(names, names)), (pairs) => {
        const map = new Map(pairs);
        const members = Array.from(map, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        expect([...parse(`{"weight_map":{${members.join(',')}}}`).weightMap]).toEqual([...map]);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(parseIndex(bytes, 'x').findings.length).toBeGreaterThan(0);
      }),
    );
  });
});
