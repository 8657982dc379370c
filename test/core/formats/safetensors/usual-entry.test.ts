import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAFETENSORS_DTYPES } from '../../../../src/core/dtypes/dtype-table.ts';
import { parseHeader } from '../../../../src/core/formats/safetensors/parse-header.ts';
import { UsualEntries } from '../../../../src/core/formats/safetensors/usual-entry.ts';
import { TensorTable } from '../../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../../src/core/tensor/tensor-table-builder.ts';

const FRAME = { file: 'x', fileSize: 1e12, dataStart: 1000 };

const take = (text: string) => {
  const table = new TensorTableBuilder(['x']);
  const bytes = new TextEncoder().encode(text);
  const next = new UsualEntries(bytes, FRAME, table).take(0);
  return { next, length: bytes.length, rows: new TensorTable(table.finish()).rows() };
};

const entry = (name: string, dtype: string, shape: string, offsets: string): string =>
  `${JSON.stringify(name)}:{"dtype":"${dtype}","shape":[${shape}],"data_offsets":[${offsets}]}`;

describe('an entry as the reference writes it', () => {
  it('goes into the table as it is, whatever follows', () => {
    const text = entry('größe.0', 'BF16', '2,3', '16,28');
    const { next, rows } = take(`${text},"other"`);
    expect(next).toBe(new TextEncoder().encode(text).length);
    expect(rows).toEqual([
      {
        id: 0,
        name: 'größe.0',
        dtype: 'BF16',
        shape: [2, 3],
        parameters: 6,
        bytes: 12,
        file: 'x',
        offset: 1016,
        layout: 'contiguous',
        readable: true,
      },
    ]);
  });

  it.each([
    ['a scalar', entry('s', 'F64', '', '0,8'), []],
    ['no elements', entry('e', 'U8', '0,5', '7,7'), [0, 5]],
    ['sixteen dimensions', entry('d', 'U8', '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2', '0,2'), [...Array(15).fill(1), 2]],
    ['no name', entry('', 'I8', '1', '0,1'), [1]],
    ['half bytes', entry('h', 'F4', '6', '1,4'), [6]],
  ])('%s', (_name, text, shape) => {
    const { next, length, rows } = take(text);
    expect(next).toBe(length);
    expect(rows[0]?.shape).toEqual(shape);
  });
});

describe('what is left to the general way, nothing added', () => {
  it.each([
    ['a reserved name', entry('__metadata__', 'U8', '1', '0,1')],
    ['an escape in the name', '"a\\u0062":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}'],
    ['a control character in the name', '"a\u0001":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}'],
    ['a very long name', entry('x'.repeat(2000), 'U8', '1', '0,1')],
    ['an unknown dtype', entry('a', 'U9', '1', '0,1')],
    ['a dtype without an end', '"a":{"dtype":"U8'],
    ['F6, whose bit order is undefined', entry('a', 'F6_E2M3', '4', '0,3')],
    ['another order of fields', '"a":{"shape":[1],"dtype":"U8","data_offsets":[0,1]}'],
    ['a space', '"a": {"dtype":"U8","shape":[1],"data_offsets":[0,1]}'],
    ['a further field', '"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":1}'],
    ['a size that disagrees', entry('a', 'U8', '2', '0,1')],
    ['a size that is no whole byte', entry('a', 'F4', '3', '0,1')],
    ['a reversed range', entry('a', 'U8', '1', '2,1')],
    ['three offsets', entry('a', 'U8', '1', '0,1,2')],
    ['a leading zero', entry('a', 'U8', '01', '0,1')],
    ['a negative dimension', entry('a', 'U8', '-1', '0,1')],
    ['a fraction', entry('a', 'U8', '1.0', '0,1')],
    ['an empty place in the shape', entry('a', 'U8', '1,', '0,1')],
    ['seventeen dimensions', entry('a', 'U8', Array(17).fill('1').join(), '0,1')],
    ['an integer of sixteen digits', entry('a', 'U8', '0,1000000000000000', '0,0')],
    ['a product beyond 2^53', entry('a', 'U8', '100000000,100000000,0', '0,0')],
    ['a cut text', entry('a', 'U8', '1', '0,1').slice(0, -1)],
  ])('%s', (_name, text) => {
    expect(take(text)).toMatchObject({ next: undefined, rows: [] });
  });
});

describe('the short way and the general way', () => {
  /** Headers whose tensors lie one after the other; spaced, none of their entries is of the usual form. */
  const headers = fc
    .array(
      fc.record({
        name: fc.string({ unit: 'grapheme', maxLength: 12 }),
        dtype: fc.constantFrom(...SAFETENSORS_DTYPES.keys(), 'U9'),
        shape: fc.array(fc.nat(5), { maxLength: 4 }),
        extra: fc.constantFrom(0, 0, 0, 0, 1),
      }),
      { maxLength: 6 },
    )
    .map((tensors) => {
      let at = 0;
      const entries = tensors.map(({ name, dtype, shape, extra }) => {
        const bits = shape.reduce((product, size) => product * size, 1) * (SAFETENSORS_DTYPES.get(dtype)?.bits ?? 8);
        const begin = at;
        at += Math.ceil(bits / 8) + extra;
        return entry(name, dtype, shape.join(), `${begin},${at}`);
      });
      return `{${entries.join()}}`;
    });
  const told = (text: string) => {
    const { table, findings, totals, coverage } = parseHeader(new TextEncoder().encode(text), FRAME);
    const plain = new TensorTable(table);
    return { rows: plain.rows(), codes: findings.kept.map(({ code, message }) => [code, message]), totals, coverage };
  };

  it('tell the same of a sound header and of one with faults', () => {
    fc.assert(
      fc.property(headers, (text) => {
        expect(told(text)).toEqual(told(text.replaceAll('":{"dtype', '": {"dtype')));
      }),
      { numRuns: 300 },
    );
  });

  it('tell the same of a header with a changed byte', () => {
    fc.assert(
      fc.property(headers, fc.nat(), fc.constantFrom(...'0129,:"{}[]\\ -.eaF_'), (text, at, character) => {
        const spoiled = Array.from(text);
        spoiled[at % spoiled.length] = character;
        const usual = spoiled.join('');
        const general = usual.replaceAll('":{"dtype', '": {"dtype');
        const outcome = (header: string) => {
          const { rows, codes } = told(header);
          return [rows.map(({ name: _name, ...row }) => row), codes.map(([code]) => code)];
        };
        expect(outcome(usual)).toEqual(outcome(general));
      }),
      { numRuns: 500 },
    );
  });
});
